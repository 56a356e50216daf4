// Names of shared libraries in the string literals of Python code. Code often has a table of such names and opens them
// in a loop, so that the call itself does not show them.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/python.h"

namespace wheelcheck::python {

// Literals without blanks that contain ".so" as a file name does; a formatted part of an f-string is `*`. At most 4096.
// Only tokens are read, so the function works for any text, in linear time.
std::vector<PythonName> library_names(std::string_view source);

// Environment variables that the Python code sets.

std::vector<PythonVariable> variables_set(std::string_view source);

}  // namespace wheelcheck::python
