// Finds imports that no file of the wheels defines. It follows the loader's search scopes, without the libraries of the
// host, so it reports only what is certain.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct Unfound {
  ElfIndex file;
  Libc libc = Libc::None;                 // of the process: Glibc or Musl
  std::vector<std::string_view> symbols;  // imported without a version
  std::vector<std::string> versioned;     // NAME@VERSION: no library that the file loads has the name in that version
  // a file of the wheel that defines one of the symbols but is not loaded with this file
  std::optional<ElfIndex> defined_in;
  // the file that the loader takes on some machines (directory_searched_next), and without which nothing is missing
  std::optional<ElfIndex> with{};
  bool loaded_before = false;  // `with` has the soname of the file, and the loader takes it once it is loaded
};
// `files` is sorted. Excluded: weak imports, imports of a version of a library that is not here, imports without a
// relocation, CPython's names, names that glibc or musl provides, and files with a needed library that is neither
// available nor part of the C library, libstdc++ or libgcc. Of zlib, Expat and some others that need only the C library
// the beginnings of all names are known. Included: names that musl provides only from a release newer than 1.1, and
// names that glibc has dropped (c_names.h).
struct Undefined {
  std::vector<Unfound> files;
  std::string cut;  // not empty: the search ended at this limit, and `files` is empty
};
inline constexpr std::uint64_t max_search_steps = 100'000'000;
Undefined find_undefined(const WheelView& view, std::uint64_t max_steps = max_search_steps);

}  // namespace wheelcheck::rules
