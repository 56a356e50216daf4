// Hypothetical fixes (--what-if): changes to the files of an installation before the load plans run. They show whether
// a fix works before anyone builds it.
#pragma once

#include <span>
#include <string>

#include "wheelcheck/installation.h"
#include "wheelcheck/result.h"

namespace wheelcheck::conflicts {

// Each change is a text: "hide WHEEL::MEMBER NAMES" hides names, as a version script with `local:` does; "no-needed
// WHEEL::MEMBER SONAME" removes a DT_NEEDED entry, as patchelf --remove-needed does. All parts are patterns, and MEMBER
// may match the end of a path. Error: Usage for a text that cannot be parsed or matches no file.
Result<void> apply_what_if(Installation& installation, std::span<const std::string> changes);

}  // namespace wheelcheck::conflicts
