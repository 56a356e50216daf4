// What the formats for machines of CI share: which findings fail, with which exit code the run ends, and all findings
// of a run, worst first.
#pragma once

#include <vector>

#include "wheelcheck/report.h"

namespace wheelcheck::report {

// `show` judges nothing.
bool fails(const WheelReport& wheel, const Finding& finding, const RenderOptions& options);
int exit_code_of(const Report& report, const RenderOptions& options);

struct Said {
  const WheelReport* wheel = nullptr;  // never null
  const Finding* finding = nullptr;    // never null
};
// Of the same severity in the order of the wheels.
std::vector<Said> worst_first(const Report& report);

}  // namespace wheelcheck::report
