// Environment variables that Python code sets, found in its text.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/python.h"

namespace wheelcheck::python {

std::vector<PythonVariable> variables_set(std::string_view source);

}  // namespace wheelcheck::python
