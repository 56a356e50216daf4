// What a project has to say about findings, applied after the rules have spoken: how grave a rule is to it, and which
// findings are meant to be.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "rules/engine.h"
#include "wheelcheck/report.h"

namespace wheelcheck::rules {

// Of several that name a rule the most exact counts, of those the last.
void set_severities(const WheelFacts& wheel, std::vector<Finding>& findings,
                    std::span<const SeverityOverride> severities);

struct Sifted {
  std::vector<Finding> kept;
  std::vector<IgnoredFinding> ignored;  // by the first that matches
  std::vector<IgnoreUse> uses;          // one for each of `ignores`, which they point into
};
// today: nothing ends where it is not known.
Sifted sift(const WheelFacts& wheel, std::vector<Finding> findings, std::span<const IgnoreRule> ignores,
            const RuleSelection& selection, const std::optional<Date>& today);

}  // namespace wheelcheck::rules
