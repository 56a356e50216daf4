// Parses the file name of a wheel, which contains name, version and tags (PEP 427 and 425; PEP 600 and 656 for the
// platform tags).
#pragma once

#include <string_view>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// `file` is a base name. Error NotAWheel explains what is wrong with it.
Result<WheelName> parse_filename(std::string_view file);

// Letters, digits, '.', '_' and '-'; the first and the last character are letters or digits (PEP 508, "Names").
bool is_project_name(std::string_view text);

}  // namespace wheelcheck::wheel
