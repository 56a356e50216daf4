// A baseline is a file of known findings that do not fail a run. `--write-baseline` writes it; `--baseline` reads it
// and hides those findings. Findings are matched by a fingerprint that does not change from release to release.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::app {

// The wheel's findings in the form of a baseline, by fingerprint.
std::vector<KnownFinding> known_findings(const WheelReport& wheel);
// Moves the findings that the baseline contains from WheelReport::findings to `known`, and lists in `resolved` those
// that no longer occur. Findings of rules that did not run (is_judged, by code) are not listed there.
void remove_baseline(WheelReport& wheel, const Baseline& baseline,
                     const std::function<bool(std::string_view code)>& is_judged);

std::string baseline_text(const Report& report);  // from WheelReport::new_baseline
// `file` is the base name, for messages and reports. Error Usage.
Result<Baseline> read_baseline(std::string_view file, std::string_view text);

}  // namespace wheelcheck::app
