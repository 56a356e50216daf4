// The SHA-2 digest of a stream of chunks. The producing thread hashes them itself; as soon as another thread is idle,
// that one hashes in parallel, and chunks pass through a ring of buffers.
#pragma once

#include <array>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>

#include "base/hash.h"
#include "base/parallel.h"

namespace wheelcheck::archive {

// If room() returned a buffer, the next chunk must be in it. Chunks are hashed in order.
class Hashing {
 public:
  Hashing(Helpers* idle, Digest digest) : idle_(idle), hash_(digest) {}
  Hashing(const Hashing&) = delete;
  Hashing& operator=(const Hashing&) = delete;
  ~Hashing();  // waits for the other thread

  // The buffer for the next chunk. Waits until a buffer is free. Empty while one thread does both.
  std::span<std::byte> buffer();
  void update(std::span<const std::byte> chunk);
  std::string hex();  // lower case; call once, after the last update()

 private:
  static constexpr std::size_t depth = 8;  // buffers between the two threads
  void hash_what_comes();
  void finish();

  Helpers* idle_;
  Sha2 hash_;
  // The ring of buffers. It is allocated when a second thread takes over the hashing.
  std::unique_ptr<std::byte[]> buffers_;
  std::array<std::span<const std::byte>, depth> chunks_;
  std::uint64_t made_ = 0, hashed_ = 0;  // chunks
  bool ended_ = false, gone_ = false;    // ended_: no more chunks will come; gone_: the other thread has left
  std::mutex mutex_;
  std::condition_variable change_;
};

}  // namespace wheelcheck::archive
