// Fingerprints: the same finding has the same fingerprint in the next release of a project, so services that track
// alerts neither close nor reopen it, and a baseline hides it still.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

inline constexpr std::size_t fingerprint_digits = 32;
// The name of a wheel's file without the parts that change between releases: hashes of repair tools and versions of
// libraries. gridfit.libs/libgridmath-5d1c8e02.so.1 becomes gridfit.libs/libgridmath.so
std::string stable_name(std::string_view name);
// Hex digits. It depends on the rule, the project, which of its wheels it is, the member and the subject within it.
// It does not depend on the project's version or on the text of the message.
std::string fingerprint(const WheelReport& wheel, const Finding& finding);

}  // namespace wheelcheck::report
