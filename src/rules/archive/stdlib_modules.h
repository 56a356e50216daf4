// The names of the standard library's modules.
#pragma once

#include <string_view>

namespace wheelcheck::rules {

struct StdlibModule {
  static constexpr int only_python_2 = -1;
  std::string_view name;
  int since = 0;  // the first CPython 3.N that has it; 0: all up to 3.3
  int until = 0;  // the first CPython 3.N that does not have it any more; 0: none
};

// A module without a dot in its name. Null if neither CPython 2.7 nor 3.3 to 3.14 has it. Modules for other systems
// count (winreg).
const StdlibModule* find_stdlib_module(std::string_view name);

}  // namespace wheelcheck::rules
