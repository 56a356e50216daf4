// Imports of a wheel's own modules, and which of them the wheel does not contain.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::rules {

// An import at module level, without a condition and outside of `try`, of a module that should be in the wheel.
struct OwnImport {
  std::string module;  // as written: ".core"
  std::string file;    // below site-packages
  std::uint32_t line = 0;
  MemberIndex member;
};

// The first such import whose module is missing and that `counts`. The imports of all Python files must have been read.
std::optional<OwnImport> missing_module(const WheelFacts& wheel, const std::function<bool(const OwnImport&)>& counts);

}  // namespace wheelcheck::rules
