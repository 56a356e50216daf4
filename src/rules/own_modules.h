// Imports of a wheel's own modules, and which of them the wheel does not contain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::rules {

// An import without a condition and outside of `try`, of a module that should be in the wheel.
struct OwnImport {
  std::string module;  // as written: ".core"
  std::string file;    // below site-packages
  std::uint32_t line = 0;
  MemberIndex member;
  bool in_function = false;  // it runs when the function is called
};

// The first such import whose module is missing and that `counts`, first at module level, then in functions. The
// imports of all Python files must have been read.
std::optional<OwnImport> missing_module(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts);

// The Python files that certainly run when the packages of the wheel are imported: the topmost __init__.py files, and
// what they import at module level, without a condition and outside of `try`. Needs the same.
std::set<MemberIndex> imported_files(const WheelFacts& wheel);

}  // namespace wheelcheck::rules
