// What makes a finding the same one in the next release of a project, so that services which keep alerts neither close
// nor open it again.
#pragma once

#include <string>
#include <string_view>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

// A name of a wheel's file without what changes from release to release: hashes of repair tools, versions of libraries.
// gridfit.libs/libgridmath-5d1c8e02.so.1 -> gridfit.libs/libgridmath.so
std::string stable_name(std::string_view name);
// 32 hex digits. Of the rule, the project, which of its wheels, the member and what of it; of no version of the project
// and no word of the message.
std::string fingerprint(const WheelReport& wheel, const Finding& finding);

}  // namespace wheelcheck::report
