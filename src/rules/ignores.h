// Applies a project's configuration to the findings after the rules have run: changed severities and ignored findings.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rules/engine.h"
#include "wheelcheck/report.h"

namespace wheelcheck::rules {

// If several overrides match a rule, the most specific one applies; among those, the last.
void set_severities(const WheelFacts& wheel, std::vector<Finding>& findings,
                    std::span<const SeverityOverride> severities);

struct AppliedIgnores {
  std::vector<Finding> kept;
  std::vector<IgnoredFinding> ignored;  // each with the first ignore rule that matches
  std::vector<IgnoreUse> uses;          // one for each of `ignores`, to which they point
};
// `today` is the date for expiry; without it no ignore rule expires.
AppliedIgnores apply_ignores(const WheelFacts& wheel, std::vector<Finding> findings,
                             std::span<const IgnoreRule> ignores, const RuleSelection& selection,
                             const std::optional<Date>& today);

}  // namespace wheelcheck::rules
