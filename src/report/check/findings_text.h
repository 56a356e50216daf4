// Findings as text: in groups of a few lines, or each as a block with its evidence.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "report/shared/groups.h"
#include "report/shared/text.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// Groups of findings (report/shared/groups.h), in at most `max_lines` lines if showing less of each can achieve it.
std::string grouped_findings(const WheelReport& wheel, std::span<const Finding> findings, std::size_t max_lines,
                             const Paint& paint);
// [[tool.wheelcheck.ignore-rule]] for each rule with an error or a warning.
std::string ignores_to_paste(const WheelReport& wheel, const Paint& paint);
// One block for each finding; findings that differ only in the place share one.
std::string findings_text(std::span<const Finding> findings, const PlaceText& place_of, const Paint& paint);

// "  fix: ..." of an escaped fix, and the end of the line. A command that does not fit continues as a shell reads it.
// more: what follows the fix, not to be typed.
std::string fix_text(std::string_view fix, std::string_view more, const Paint& paint);

}  // namespace wheelcheck::report
