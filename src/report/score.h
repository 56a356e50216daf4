// The score: how many of a wheel's requirements each level of a ladder meets, and what it does not.
#pragma once

#include <string>

#include "report/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// One block a ladder, newest level first; neighbours that refuse the same things share a line.
std::string score_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
