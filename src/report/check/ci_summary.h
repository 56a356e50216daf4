// What the formats share: which findings fail, with which exit code the run ends and why, and all findings of a run,
// worst first.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/shared/text.h"
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

// The score: how many of a wheel's requirements each level of a policy family meets, and what it does not.

struct ScoreRow {
  std::string levels;  // "manylinux_2_41 to 2_34"
  std::size_t met = 0, total = 0;
  bool claimed = false;
  std::string remark;  // "claimed; 4 unmet requirements: those above, GLIBC_2.34 (pthread_create)"; escaped
};
// Of one policy family, newest level first; neighbours that refuse the same things share a row. An older level refuses
// what the newer one refuses and more, so a row names only what is new in it.
std::vector<ScoreRow> score_rows(const WheelReport& wheel, std::size_t assessment);

// One block a policy family.
std::string score_text(const WheelReport& wheel, const Paint& paint);

}  // namespace wheelcheck::report
