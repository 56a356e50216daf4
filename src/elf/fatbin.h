// Code for GPUs that a host file carries, read by the headers around it; nothing is decompressed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "elf/image.h"
#include "elf/sections.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// Where no section tells (a file without section headers), the data is searched for the magic numbers.
DeviceCode read_device_code(const File& file, const DataRanges& places, bool sections);

// The first place from `begin` on, a multiple of eight, where a fat binary of NVIDIA may start; `end` if there is none.
// Offsets are those of `bytes`, which begin at such a multiple.
std::uint64_t find_fatbin(std::span<const std::byte> bytes, std::uint64_t begin, std::uint64_t end);

// Goes from header to header of a fat binary of NVIDIA, whether its bytes are at hand or passing.
class FatbinWalk {
 public:
  // `at`: its magic; it must not reach beyond `limit`.
  FatbinWalk(std::uint64_t at, std::uint64_t limit) : begin_(at), at_(at), limit_(limit), end_(at) {}
  // The bytes that are to be taken next, all or the first of them.
  FileRange wanted() const;
  // False: there are no more headers.
  bool take(std::span<const std::byte> bytes);
  bool entry() const { return entry_; }         // what was taken last completes the header of an image
  std::uint64_t read() const { return read_; }  // bytes that headers account for
  std::uint64_t end() const { return end_; }    // where a search goes on

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
