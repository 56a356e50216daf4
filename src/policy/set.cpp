// Built-in levels, then those of the user, as ladders.
#include <algorithm>
#include <utility>

#include "policy/builtin.h"
#include "policy/level.h"

namespace wheelcheck {

PolicySet::PolicySet(std::vector<policy::Level> levels)
    : added_(std::make_shared<const std::vector<policy::Level>>(std::move(levels))) {}

Ladder PolicySet::ladder(PlatformTag::Family family, Arch arch) const {
  std::vector<policy::Level> levels = policy::builtin_levels(family, arch);
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  for (Ladder& ladder : policy::ladders_of(std::move(levels)))
    if (ladder.family == family && ladder.arch == arch) return std::move(ladder);
  return {.family = family, .arch = arch, .rungs = {}};
}

std::vector<Ladder> PolicySet::ladders() const {
  std::vector<policy::Level> levels = policy::builtin_levels();
  if (added_) levels.insert(levels.end(), added_->begin(), added_->end());
  return policy::ladders_of(std::move(levels));
}

}  // namespace wheelcheck
