// What a wheel's file name claims (PEP 427, 425; PEP 600 and 656 for the platform tags).
#pragma once

#include <string_view>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// `file` is a base name. Error NotAWheel says what is wrong with it.
Result<WheelName> parse_filename(std::string_view file);

// Letters, digits, '.', '_' and '-', of which the first and the last are letters or digits (PEP 508, "Names").
bool is_project_name(std::string_view text);

}  // namespace wheelcheck::wheel
