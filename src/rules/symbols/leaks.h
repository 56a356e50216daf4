// Libraries of others whose symbols a file exports, shared by the rules on C++ and on C names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct Leak {
  const LibraryCount* library = nullptr;
  std::uint32_t symbols = 0;  // functions and variables
  // Of the same family, with names in common: SSL_new may be OpenSSL's or BoringSSL's. Their symbols are counted in.
  std::vector<const LibraryCount*> relatives;
};
enum class LeakedNames {
  Cxx,  // libraries of whose namespaces at least RuleOptions::leak_threshold symbols are exported
  C,    // others, of whose C names at least five are
};

// Most symbols first. What is the wheel's own product, and what the file itself is, or stands in for (OpenBLAS for a
// BLAS), is no leak. Vtables, typeinfo and guard variables do not count.
std::vector<Leak> leaks_of(const WheelView& view, ElfIndex elf, LeakedNames names);
// "exports 30211 symbols of LLVM 23.0.0git, 990 of Abseil and of 2 more libraries"
std::string leak_message(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks);
// One a library: its count, a few symbols, and what tells its version.
std::vector<Evidence> leak_evidence(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks,
                                    LeakedNames names);
// What to type so that this file exports only what it is for.
std::string how_to_hide(const WheelView& view, ElfIndex elf);

}  // namespace wheelcheck::rules
