// Requires-Python of METADATA against the wheel's tags.
#pragma once

#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// True if some final release of a Python that takes the tags satisfies every specifier (PEP 440, "Version specifiers").
// Otherwise nobody can install the wheel. Also true if a tag or specifier cannot be parsed, because then nothing is
// known to be excluded, and if no Python takes the tags, because then Requires-Python is not the reason.
bool admits_tags(std::string_view requires_python, const WheelName& name);

}  // namespace wheelcheck::wheel
