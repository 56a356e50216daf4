#include "report/check/ci_summary.h"

#include <algorithm>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

int exit_code(const Report& report) {
  int code = 0;
  for (const Report::Entry& entry : report.entries)
    code = std::max(code, entry.unreadable ? 3 : entry.wheel && entry.wheel->failed ? 1 : 0);
  return code;
}

namespace report {

bool fails(const WheelReport& wheel, const Finding& finding, const RenderOptions& options) {
  return !options.facts_only && wheel.fail_on && finding.severity >= *wheel.fail_on;
}

int exit_code_of(const Report& report, const RenderOptions& options) {
  const int code = exit_code(report);
  return options.facts_only && code == 1 ? 0 : code;
}

std::vector<Said> worst_first(const Report& report) {
  std::vector<Said> all;
  for (const Report::Entry& entry : report.entries)
    if (entry.wheel)
      for (const Finding& finding : entry.wheel->findings) all.push_back({&*entry.wheel, &finding});
  std::ranges::stable_sort(all, [](const Said& a, const Said& b) { return a.finding->severity > b.finding->severity; });
  return all;
}

}  // namespace report
}  // namespace wheelcheck
