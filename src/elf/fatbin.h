// GPU code in a host file: fat binaries of NVIDIA and offload bundles of AMD. Only the headers are read, which name the
// GPU targets and the sizes. Nothing is decompressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "elf/image.h"
#include "elf/sections.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// If the file has no section headers, the data ranges are searched for the magic numbers.
DeviceCode read_device_code(const File& file, const DataRanges& places, bool sections);

// The first offset from `begin` on, a multiple of eight, where an NVIDIA fat binary may start; `end` if there is none.
// Offsets are relative to `bytes`, which must start at a multiple of eight.
std::uint64_t find_fatbin(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end);

// Steps through the headers of an NVIDIA fat binary. The caller supplies the bytes, so it works for a file in memory
// and for a stream.
class FatbinWalk {
 public:
  // `at` is the offset of its magic number. Nothing beyond `limit` is read.
  FatbinWalk(std::uint64_t at, std::uint64_t limit) : begin_(at), at_(at), limit_(limit), end_(at) {}
  // The bytes that take() needs next.
  FileRange wanted() const;
  // Takes the requested bytes, or the first of them. Returns false if there are no more headers.
  bool take(std::span<const std::byte> bytes);
  bool entry() const { return entry_; }         // the last take() completed the header of an image
  std::uint64_t read() const { return read_; }  // bytes covered by the headers read so far
  std::uint64_t end() const { return end_; }    // offset where a search can continue

 private:
  bool enter(const Bytes& header);
  bool step(const Bytes& header);
  bool move_to(std::uint64_t place);

  std::uint64_t begin_, at_, limit_, last_ = 0, end_, read_ = 0;
  std::array<std::byte, 64> header_{};
  std::uint64_t have_ = 0;
  bool entry_ = false;
};

}  // namespace wheelcheck::elf
