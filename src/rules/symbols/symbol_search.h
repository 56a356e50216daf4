// Which imports no file of the wheels can answer, as far as that can be known: the loader's scopes, without the host.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct Unfound {
  ElfIndex file;
  std::vector<std::string_view> symbols;
  std::optional<ElfIndex> defined_in;  // a file of the wheel that has one of them but is not loaded by it
};
// By file. Left out: weak and versioned imports, those that no relocation asks for, CPython's names and those of
// glibc's parts, which it brings, files for other C libraries than glibc, and files of whose libraries one is neither
// at hand nor part of glibc, libstdc++ or libgcc.
std::vector<Unfound> find_undefined(const WheelView& view);

}  // namespace wheelcheck::rules
