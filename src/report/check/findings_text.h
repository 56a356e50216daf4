// Findings as text for people: grouped in a few lines, or each as a block with its evidence.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "report/shared/text.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The path that is shown for a place; "" for the whole wheel.
using PlaceText = std::function<std::string(const Place&)>;

// Findings of one rule and severity share a heading, a few rows and a fix. `findings` has the same rules next to each
// other.
std::string grouped_findings(const WheelReport& wheel, std::span<const Finding> findings, const Paint& paint,
                             std::size_t width);
// One block per finding; findings that differ in nothing but the place share one.
std::string findings_text(std::span<const Finding> findings, const PlaceText& place_of, const Paint& paint);

}  // namespace wheelcheck::report
