// What ld.so does with a file beside reading its tables: memory that it protects, copies and writes to, functions that
// it calls by their address. It checks none of it, so what is wrong here ends the process.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "elf/llvm_types.h"
#include "elf/relocations.h"

namespace wheelcheck::elf {

// glibc elf/dl-load.c takes the last PT_TLS that has memory.
inline bool has_thread_locals(const Segment& segment) {
  return segment.type == llvm::ELF::PT_TLS && segment.memory_size > 0;
}

// PT_TLS, PT_GNU_RELRO, and the dynamic section of a shared object. True: the section may not be written, and says so,
// which glibc before 2.35 does not look at.
bool check_loading(std::span<const Segment> segments, const Image& image, const DynamicTable& table,
                   const Header& header, const Relocations& relocations, Flaws& flaws);

// The entries of DT_INIT_ARRAY and DT_FINI_ARRAY, and the resolvers of indirect functions (R_*_IRELATIVE).
class Calls {
 public:
  Calls(const Image& image, const DynamicTable& table, const Header& header);
  bool is_entry(std::uint64_t address) const {
    return std::ranges::any_of(arrays_, [&](const Array& array) { return address - array.begin < array.size; });
  }
  // A relocation writes to an entry: `target` if that is known.
  void fill(std::uint64_t address, std::optional<std::uint64_t> target) {
    for (Array& array : arrays_)
      if (address - array.begin < array.size) fill_entry(array, address, target);
  }
  void resolver(std::uint64_t target) { lost_resolvers_ += checked_ && !image_.is_executable(target) ? 1U : 0U; }
  // Where the entries may be written by relocations that were not read: they are not judged.
  void entries_are_unknown() { entries_known_ = false; }
  void report(Flaws& flaws);

 private:
  struct Array {
    const char* tag;
    std::uint64_t begin = 0, size = 0;
    std::vector<std::uint64_t> filled;  // addresses
    std::uint64_t lost = 0;             // entries that lead to no code
  };
  void fill_entry(Array& array, std::uint64_t address, std::optional<std::uint64_t> target);

  const Image& image_;
  std::uint64_t word_;
  bool checked_, entries_known_ = true;
  std::vector<Array> arrays_;
  std::uint64_t lost_resolvers_ = 0;
};

}  // namespace wheelcheck::elf
