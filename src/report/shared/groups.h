// The findings of one rule and severity in a wheel, as every report for people shows them: a heading, a row for each
// message or file, and the fixes. JSON and SARIF list each finding.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/finding.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// The texts are safe to print.
struct FindingGroup {
  std::span<const Finding> findings;  // not empty
  std::string heading;                // their message, or the summary of their rule
  std::string brief;                  // their message, or the first one with its place and "and 2 more"
  std::vector<std::string> rows;      // by message or by file, whichever gives fewer
  std::vector<std::string> fixes;     // different ones, that of the first row first
};
// In `findings`, those of one rule and severity are adjacent.
std::vector<FindingGroup> grouped(const WheelReport& wheel, std::span<const Finding> findings);

// Returns the path that is shown for a place, safe to print; "" for the whole wheel.
using PlaceText = std::function<std::string(const Place&)>;

// Adjacent findings that differ only in the place.
std::vector<std::span<const Finding>> same_but_place(std::span<const Finding> findings);

}  // namespace wheelcheck::report
