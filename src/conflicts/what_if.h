// Fixes that nobody has built yet: changes to the files of an installation, before it is played.
#pragma once

#include <span>
#include <string>

#include "wheelcheck/installation.h"
#include "wheelcheck/result.h"

namespace wheelcheck::conflicts {

// Each a text: "hide WHEEL::MEMBER NAMES", names that a version script with `local:` would hide, or
// "no-needed WHEEL::MEMBER SONAME", as patchelf --remove-needed does. All parts are patterns; a member may be the end
// of a path. Error: Usage, where a text is not understood or fits no file.
Result<void> apply_what_if(Installation& installation, std::span<const std::string> changes);

}  // namespace wheelcheck::conflicts
