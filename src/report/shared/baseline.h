// The findings that a project lives with, as a file: `--write-baseline` makes it, `--baseline` takes those findings
// out.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

// The wheel's findings as a baseline keeps them, by fingerprint.
std::vector<KnownFinding> known_findings(const WheelReport& wheel);
// Moves findings of the baseline from WheelReport::findings to `known`, and names in `mended` those that are gone. Of
// rules that were not asked (is_judged, by code) nothing is known to be gone.
void take_known_out(WheelReport& wheel, const Baseline& baseline,
                    const std::function<bool(std::string_view code)>& is_judged);

std::string baseline_text(const Report& report);  // of WheelReport::to_know
// file: base name, for messages and reports. Usage.
Result<Baseline> read_baseline(std::string_view file, std::string_view text);

// What makes a finding the same one in the next release of a project, so that services which keep alerts neither close
// nor open it again.

// A name of a wheel's file without what changes from release to release: hashes of repair tools, versions of libraries.
// gridfit.libs/libgridmath-5d1c8e02.so.1 -> gridfit.libs/libgridmath.so
std::string stable_name(std::string_view name);
// 32 hex digits. Of the rule, the project, which of its wheels, the member and what of it; of no version of the project
// and no word of the message.
std::string fingerprint(const WheelReport& wheel, const Finding& finding);

}  // namespace wheelcheck::report
