// Syntax of a Python file that only some CPythons have, found by its tokens without parsing.
#pragma once

#include <string_view>
#include <vector>

#include "python/prefilter/lines.h"
#include "wheelcheck/python.h"

namespace wheelcheck::python {

// The newest of: f-strings (3.6), `:=` and positional-only parameters (3.8), `match` (3.10), `except*` (3.11), type
// parameters and `type` statements (3.12), t-strings (3.14). And the first `print` or `exec` statement. Nothing for a
// file that cannot be split into lines.
std::vector<PythonSyntax> version_syntax(std::string_view source);
std::vector<PythonSyntax> version_syntax(const Lines& lines);

}  // namespace wheelcheck::python
