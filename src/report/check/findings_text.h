// Findings for people.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// A block a finding, with place, evidence and fix; the same thing said of several files in a row is one block.
std::string findings_text(const WheelReport& wheel, const Paint& paint);
// `place_text`: where a finding is, safe to print; "" for the whole.
using PlaceText = std::function<std::string(const Place&)>;
std::string findings_text(std::span<const Finding> findings, const PlaceText& place_text, const Paint& paint);
// A line a finding, for `show`, which judges nothing.
std::string remarks_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
