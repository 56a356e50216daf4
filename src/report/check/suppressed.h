// How many findings of a wheel do not count, and who says so.
#pragma once

#include <string>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// "2 findings ignored by pyproject.toml; 1 known from baseline.json, 3 of it gone"; empty where there is nothing to
// say.
std::string set_aside_text(const Report& report, const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
