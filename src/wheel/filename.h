// Parses the file name of a wheel: NAME-VERSION[-BUILD]-PYTHON-ABI-PLATFORM.whl (PEP 427 and 425; PEP 600 and 656 for
// the platform tags). The three tags are what the wheel claims; installers choose a wheel by them without reading its
// content.
#pragma once

#include <string_view>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// `file` is a base name. Error NotAWheel explains what is wrong with it.
Result<WheelName> parse_filename(std::string_view file);

}  // namespace wheelcheck::wheel
