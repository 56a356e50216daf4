// The result of a run for CI: which findings fail, the exit code and its reason, the findings of all wheels sorted by
// severity, and the score of each level.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/shared/text.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// Whether the finding fails the run. Always false for `show`.
bool fails(const WheelReport& wheel, const Finding& finding, const RenderOptions& options);
int exit_code_of(const Report& report, const RenderOptions& options);

// Why the run passed or failed, in one line: "1 wheel, 1 not compatible; 6 errors, 1 warning (errors fail)". Safe to
// print.
std::string outcome_text(const Report& report, const RenderOptions& options);
// The same after "PASSED: " or "FAILED: ", in agreement with the exit code. `show` has neither.
std::string last_line(const Report& report, const RenderOptions& options);

struct ReportedFinding {
  const WheelReport* wheel = nullptr;  // never null
  const Finding* finding = nullptr;    // never null
};
// Within one severity, in the order of the wheels.
std::vector<ReportedFinding> worst_first(const Report& report);

// The score: how many of a wheel's requirements each level of a policy family meets, and which it does not.

struct ScoreRow {
  std::string levels;  // "manylinux_2_41 to 2_34"
  std::size_t met = 0, total = 0;
  bool claimed = false;
  std::string remark;  // "claimed; 4 unmet requirements: those above, GLIBC_2.34 (pthread_create)"; escaped
};
// The rows of one policy family, newest level first. Adjacent levels with the same unmet requirements share a row. An
// older level does not meet what a newer one does not meet, so a row lists only what is new in it.
std::vector<ScoreRow> score_rows(const WheelReport& wheel, std::size_t assessment);

// One block for each policy family.
std::string score_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
