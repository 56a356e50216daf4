// Symbols of other projects' libraries that a file exports ("leaks"). A file that exports symbols of a library it
// contains can take the place of that library in other files of the process. The rules on C++ names and on C names
// share this code.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct Leak {
  const LibraryCount* library = nullptr;
  std::uint32_t symbols = 0;  // functions and variables
  // Libraries of the same family with common names: SSL_new may belong to OpenSSL or BoringSSL. Their symbols are
  // included in the count.
  std::vector<const LibraryCount*> relatives;
};
enum class LeakedNames {
  Cxx,  // libraries with at least RuleOptions::leak_threshold exported symbols in their namespaces
  C,    // other libraries, with at least five exported C names
};

// Sorted by number of symbols, largest first. The wheel's own product, the file's own library, and what it replaces
// (OpenBLAS for a BLAS) are not leaks. Vtables, typeinfo and guard variables are not counted.
std::vector<Leak> leaks_of(const WheelView& view, ElfIndex elf, LeakedNames names);
// True if all symbols of these C++ libraries are weak, as inline functions and templates of headers are: no library was
// linked into the file.
bool are_of_headers(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks);
// "exports 30211 symbols of LLVM 23.0.0git, 990 of Abseil and of 2 more libraries"
std::string leak_message(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks);
// One item for each library: its count, a few symbols, and the source of its version.
std::vector<Evidence> leak_evidence(const WheelView& view, ElfIndex elf, const std::vector<Leak>& leaks,
                                    LeakedNames names);
// The command or option that limits the exports of this file to its interface.
std::string how_to_hide(const WheelView& view, ElfIndex elf);

}  // namespace wheelcheck::rules
