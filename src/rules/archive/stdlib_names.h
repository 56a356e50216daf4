// Names in modules of the standard library that only some CPythons have.
#pragma once

#include <optional>
#include <string_view>

namespace wheelcheck::rules {

// As StdlibModule: the first CPython 3.N that has it (0: all up to 3.5), and the first that does not have it any more
// (0: none; StdlibModule::only_python_2).
struct NameSpan {
  int since = 0, until = 0;
};

// A function, class, constant or submodule that not all of CPython 3.6 to 3.14 have. nullopt: they all have it, or it
// is not known.
std::optional<NameSpan> find_stdlib_name(std::string_view module, std::string_view name);

}  // namespace wheelcheck::rules
