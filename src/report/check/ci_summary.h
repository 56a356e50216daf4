// What the formats share: which findings fail, with which exit code the run ends and why, and all findings of a run,
// worst first.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

// `show` judges nothing.
bool fails(const WheelReport& wheel, const Finding& finding, const RenderOptions& options);
int exit_code_of(const Report& report, const RenderOptions& options);

// Why the run passed or failed, in one line: "1 wheel, 1 not compatible; 6 errors, 1 warning (errors fail)". Safe to
// print.
std::string outcome_text(const Report& report, const RenderOptions& options);
// The same after "PASSED: " or "FAILED: ", which agrees with the exit code; `show` judges nothing and has neither.
std::string last_line(const Report& report, const RenderOptions& options);

struct Said {
  const WheelReport* wheel = nullptr;  // never null
  const Finding* finding = nullptr;    // never null
};
// Of the same severity in the order of the wheels.
std::vector<Said> worst_first(const Report& report);

}  // namespace wheelcheck::report
