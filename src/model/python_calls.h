// Calls in the Python code of a wheel.
#pragma once

#include <algorithm>
#include <string_view>

#include "base/pattern.h"
#include "base/text.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Python code of the wheel opens libraries with RTLD_GLOBAL, so that libraries need not name each other.
inline bool opens_globally(const WheelFacts& wheel) {
  const auto is_global = [](const PythonCall& call) { return call.global; };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, is_global); });
}

// Python code of the wheel opens a library of this file name with ctypes or the like.
inline bool is_opened_by_name(const WheelFacts& wheel, std::string_view file_name) {
  const auto opens = [&](const PythonCall& call) {
    return call.library && glob_match(base_name(*call.library), file_name);
  };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, opens); });
}

}  // namespace wheelcheck
