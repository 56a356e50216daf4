// The string literals of Python code that name shared libraries. Loaders keep such names in tables and open them in
// loops, where no reading of the call tells them.
#pragma once

#include <string_view>
#include <vector>

#include "wheelcheck/python.h"

namespace wheelcheck::python {

// Literals without blanks that hold ".so" as a file name does; what an f-string fills in is `*`. At most 4096 of them.
// Reads tokens only, so it works on any text; linear in its length.
std::vector<PythonName> library_names(std::string_view source);

// Environment variables that Python code sets, found in its text.

std::vector<PythonVariable> variables_set(std::string_view source);

}  // namespace wheelcheck::python
