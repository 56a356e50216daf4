// Which imports no file of the wheels can answer, as far as that can be known: the loader's scopes, without the host.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct Unfound {
  ElfIndex file;
  Libc libc = Libc::None;  // of the process: Glibc or Musl
  std::vector<std::string_view> symbols;
  std::optional<ElfIndex> defined_in;  // a file of the wheel that has one of them but is not loaded by it
};
// By file. Left out: weak and versioned imports, those that no relocation asks for, CPython's names, those that glibc
// or musl offers, and files of whose libraries one is neither at hand nor part of the C library, libstdc++ or libgcc.
// Included: names that musl offers from a release newer than 1.1, and those that glibc offered once (c_names.h).
std::vector<Unfound> find_undefined(const WheelView& view);

}  // namespace wheelcheck::rules
