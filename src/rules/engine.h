// Runs the rules over a wheel: selects the rules, sorts their findings, applies the severities and ignored findings of
// the project, and limits the number of findings of each rule.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// `select` and `ignore` contain code prefixes ("WC5", "wc601") or names ("executable-stack"), in any case. An empty
// `select` means every rule. If both lists match a rule, the more specific selector decides; if they are equally
// specific, the rule is ignored. Pedantic rules run if `pedantic` is set or `select` contains their whole code or name.
struct RuleSelection {
  std::vector<std::string> select, ignore;
  bool pedantic = false;
};

inline constexpr std::size_t max_findings_of_one_rule = 1000;

// False for a word that matches no rule, so that a misspelt selector is an error.
bool is_selector(std::string_view word);
bool is_selected(const Rule& rule, const RuleSelection& selection);

// How specifically a word selects a rule: 0 if it does not match, higher for a longer prefix of the code, highest for
// the whole code or the name.
std::size_t exactness(const Rule& rule, std::string_view word);
// All findings, sorted by severity (worst first), then code, then place.
std::vector<Finding> find_all(const WheelView& view, const RuleSelection& selection, unsigned jobs = 1);
void sort_findings(const WheelFacts& wheel, std::vector<Finding>& findings);
// Replaces the findings of a rule beyond max_findings_of_one_rule by one that contains their number. The list is
// sorted.
std::vector<Finding> within_limits(std::vector<Finding> findings);
// find_all followed by within_limits.
std::vector<Finding> run_rules(const WheelView& view, const RuleSelection& selection, unsigned jobs = 1);

// The same for rules about several wheels in one process.
std::vector<Finding> run_set_rules(const SetView& view, const RuleSelection& selection);
// The findings about the configuration.
std::vector<Finding> run_config_rules(const ConfigView& view, const RuleSelection& selection);

// --- Applies a project's configuration to the findings after the rules have run: changed severities and ignored
// findings.

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
