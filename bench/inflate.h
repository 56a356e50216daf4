// Inflates the bytes of a member with the faster of two libraries for its size, and passes them on in pieces that are
// still in the cache.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "bench/zip.h"

namespace bench {

// libdeflate inflates members of at most this many bytes (inflated); ISA-L streams larger ones (docs/performance.md).
constexpr std::uint64_t default_whole = std::uint64_t{16} << 20;

// Bytes that only the kernel zeroes, in huge pages if available, which cause one page fault for each 2 MB.
class Buffer {
 public:
  Buffer() = default;
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer();
  // The content may be lost.
  std::span<std::uint8_t> first(std::size_t size);

 private:
  std::uint8_t* bytes_ = nullptr;
  std::size_t size_ = 0;
};

class Sink {
 public:
  virtual ~Sink() = default;
  virtual void take(std::span<const std::uint8_t> bytes) = 0;
};

// Each thread has its own.
class Inflater {
 public:
  Inflater(const Wheel& wheel, std::uint64_t whole);
  ~Inflater();
  // False if the member is damaged; the sink checks its CRC-32. `data`: offset of its bytes in the wheel.
  bool unpack(const Member& member, std::uint64_t data, Sink& sink);

 private:
  struct Libraries;
  bool copy(const Member& member, std::uint64_t data, Sink& sink);
  bool at_once(const Member& member, std::uint64_t data, Sink& sink);
  bool streamed(const Member& member, std::uint64_t data, Sink& sink);

  const Wheel& wheel_;
  std::uint64_t whole_;
  std::unique_ptr<Libraries> libraries_;
  Buffer in_, out_;
};

}  // namespace bench
