// Calls in Python code that never run, because the code before them imports a module that the wheel does not contain.
#pragma once

#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

// One flag per element of PythonFile::calls. The usual form is
//   try: from . import _gpu_build
//   except ImportError: return
std::vector<bool> dead_calls(const WheelView& view, const PythonFile& file);

}  // namespace wheelcheck::rules
