// Built-in levels, then those of the user, as level_sets.
#include <algorithm>
#include <utility>

#include "policy/builtin.h"
#include "policy/level.h"

namespace wheelcheck {

PolicySet::PolicySet(std::vector<policy::Level> levels)
    : added_(std::make_shared<const std::vector<policy::Level>>(std::move(levels))) {}

PolicyLevels PolicySet::policy_levels(PlatformTag::Family family, Arch arch) const {
  std::vector<policy::Level> levels = policy::builtin_levels(family, arch);
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  for (PolicyLevels& policy_levels : policy::level_sets_of(std::move(levels)))
    if (policy_levels.family == family && policy_levels.arch == arch) return std::move(policy_levels);
  return {.family = family, .arch = arch, .levels = {}};
}

std::vector<PolicyLevels> PolicySet::level_sets() const {
  std::vector<policy::Level> levels = policy::builtin_levels();
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  return policy::level_sets_of(std::move(levels));
}

}  // namespace wheelcheck
