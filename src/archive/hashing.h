// SHA-256 of a stream of chunks, by the thread that makes them or, as soon as one is idle, by another one beside it.
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

// The bytes of a chunk must lie in what room() last gave, where it gave anything, and are hashed in order.
class Hashing {
 public:
  Hashing(Helpers* idle, Digest digest) : idle_(idle), hash_(digest) {}
  Hashing(const Hashing&) = delete;
  Hashing& operator=(const Hashing&) = delete;
  ~Hashing();  // waits for the other thread

  // Where the next chunk shall be made: waits until a buffer is free. Empty while one thread does both.
  std::span<std::byte> room();
  void update(std::span<const std::byte> chunk);
  std::string hex();  // lower case; call once, last

 private:
  static constexpr std::size_t depth = 8;  // buffers between the two threads
  void hash_what_comes();
  void finish();

  Helpers* idle_;
  Sha2 hash_;
  // The ring; nothing of it exists until a second thread has taken the hash over.
  std::unique_ptr<std::byte[]> buffers_;
  std::array<std::span<const std::byte>, depth> chunks_;
  std::uint64_t made_ = 0, hashed_ = 0;  // chunks
  bool ended_ = false, gone_ = false;    // no more chunks; the other thread has left
  std::mutex mutex_;
  std::condition_variable change_;
};

}  // namespace wheelcheck::archive
