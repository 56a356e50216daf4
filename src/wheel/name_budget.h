// Limits what the ELF files of a wheel name: libraries, versions, directories and imported symbols. A name is some
// bytes of a file that can be packed a thousandfold, and kilobytes of a report, so the memory that a JSON report takes
// for all names of a wheel is limited. The names of files beyond the limit are not read.
#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "archive/archive.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::wheel {

class NameBudget {
 public:
  // 40 MiB, and 96 bytes for each packed byte.
  explicit NameBudget(std::span<const archive::Entry> entries);

  // Adds the names of a file; threads may do so at once. False: the facts need not be kept, because all files together
  // name so much that the wheel is refused, whichever of them comes last.
  bool admits(const ElfFacts& facts);
  bool is_refused() const { return used_ > max_refused * max_; }
  // When all files were added, for each in the order of the members: removes its names if they and those before it are
  // beyond the limit, and reports that as a flaw.
  void take(ElfFacts& facts);

 private:
  static constexpr std::uint64_t max_refused = 4;  // times as much as is read

  std::uint64_t max_ = std::uint64_t{40} << 20;  // bytes of memory
  std::atomic<std::uint64_t> used_ = 0;
  std::uint64_t taken_ = 0;
};

}  // namespace wheelcheck::wheel
