// Calls in the Python code of a wheel.
#pragma once

#include <algorithm>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Python code of the wheel opens libraries with RTLD_GLOBAL, so that libraries need not name each other.
inline bool opens_globally(const WheelFacts& wheel) {
  const auto is_global = [](const PythonCall& call) { return call.global; };
  return std::ranges::any_of(wheel.python,
                             [&](const PythonFile& file) { return std::ranges::any_of(file.calls, is_global); });
}

}  // namespace wheelcheck
