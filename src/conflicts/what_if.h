// Hypothetical fixes (--what-if): changes to the files of an installation before the load plans run. They show whether
// a fix works before anyone builds it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/load_plan.h"
#include "wheelcheck/result.h"

namespace wheelcheck::conflicts {

// Each change is a text: "hide WHEEL::MEMBER NAMES" hides names, as a version script with `local:` does; "no-needed
// WHEEL::MEMBER SONAME" removes a DT_NEEDED entry, as patchelf --remove-needed does. All parts are patterns, and MEMBER
// may match the end of a path. Error: Usage for a text that cannot be parsed or matches no file.
Result<void> apply_what_if(Installation& installation, std::span<const std::string> changes);

// "dlopen-flags WHEEL FLAGS": what the Python code of the wheel opens is opened with these flags. FLAGS are the names
// of RTLD_* flags, separated by commas. Error: Usage, as above.
Result<void> apply_what_if(std::vector<LoadPlan>& load_plans, const Installation& installation,
                           std::span<const std::string> changes);

// "replace FILE": the wheel of that file is installed instead of the distribution of the same name. The files of all
// such changes, in their order.
std::vector<std::string> replacing_wheels(std::span<const std::string> changes);
// Puts the last `count` wheels in the places of those with their names. Error: Usage, if there is none.
Result<void> replace_wheels(std::vector<WheelFacts>& wheels, std::size_t count);

}  // namespace wheelcheck::conflicts
