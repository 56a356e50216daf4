#include "rules/ignores.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wheelcheck::rules {
namespace {

const SeverityOverride* override_of(const Rule& rule, std::span<const SeverityOverride> severities) {
  const SeverityOverride* best = nullptr;
  std::size_t most = 1;
  for (const SeverityOverride& one : severities) {
    const std::size_t exact = exactness(rule, one.rule);
    if (exact < most) continue;
    most = exact;
    best = &one;
  }
  return best;
}

bool is_ignored(const WheelFacts& wheel, const Finding& finding, const IgnoreRule& ignore) {
  if (exactness(*finding.rule, ignore.rule) == 0) return false;
  return ignore.path.empty() || glob_match(ignore.path, path_of(wheel, finding.place));
}

bool is_judged(const IgnoreRule& ignore, const RuleSelection& selection) {
  return std::ranges::any_of(all_rules(), [&](const Rule* rule) {
    return exactness(*rule, ignore.rule) > 0 && is_selected(*rule, selection);
  });
}

}  // namespace

void set_severities(const WheelFacts& wheel, std::vector<Finding>& findings,
                    std::span<const SeverityOverride> severities) {
  if (severities.empty()) return;
  for (Finding& finding : findings)
    if (const SeverityOverride* const found = override_of(*finding.rule, severities))
      finding.severity = found->severity;
  sort_findings(wheel, findings);
}

AppliedIgnores apply_ignores(const WheelFacts& wheel, std::vector<Finding> findings,
                             std::span<const IgnoreRule> ignores, const RuleSelection& selection,
                             const std::optional<Date>& today) {
  AppliedIgnores applied;
  for (const IgnoreRule& ignore : ignores) {
    IgnoreUse& use = applied.uses.emplace_back(IgnoreUse{.ignore = &ignore, .judged = is_judged(ignore, selection)});
    if (ignore.until && today && *ignore.until < *today) use.expired = today;
  }
  for (Finding& finding : findings) {
    const auto use = std::ranges::find_if(
        applied.uses, [&](const IgnoreUse& one) { return !one.expired && is_ignored(wheel, finding, *one.ignore); });
    if (use == applied.uses.end()) {
      applied.kept.push_back(std::move(finding));
      continue;
    }
    ++use->findings;
    applied.ignored.push_back({std::move(finding), *use->ignore});
  }
  return applied;
}

}  // namespace wheelcheck::rules
