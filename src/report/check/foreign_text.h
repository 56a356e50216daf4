// Members that are listed and not judged, for people.
#pragma once

#include <string>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// "" where there are none.
std::string foreign_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
