// Builds the levels that one wheel is compared with.
#include "policy/wheel_levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/machines.h"
#include "policy/level.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

bool is_level(const Policy& policy) { return policy.name == level_name(policy.family, policy.libc); }

// The level between `newer` and `older`; `newer` may be null.
Policy derive(const Policy* newer, const Policy& older, const Version& libc) {
  Policy policy = older;
  policy.name = level_name(older.family, libc);
  policy.aliases.clear();
  policy.libc = libc;
  if (newer == nullptr || !newer->versions.contains("GLIBC")) return policy;
  for (const std::string_view node : newer->versions.find("GLIBC")->second) {
    Version version;
    if (parse_version(node, version) && version <= libc) policy.versions["GLIBC"].insert(node);
  }
  return policy;
}

void insert_claimed(const Version& libc, Family family, WheelLevels& result) {
  std::vector<const Policy*>& levels = result.levels;
  const std::string name = level_name(family, libc);
  if (std::ranges::any_of(levels, [&](const Policy* level) { return level->name == name; })) return;
  const Policy* newer = nullptr;
  for (std::size_t i = 1; i < levels.size(); ++i) {
    if (!is_level(*levels[i])) continue;
    if (levels[i]->libc > libc) {
      newer = levels[i];
      continue;
    }
    if (newer == nullptr && family != Family::Android) return;
    result.derived.push_back(std::make_unique<const Policy>(derive(newer, *levels[i], libc)));
    const auto older =
        std::ranges::find_if(levels.begin() + 1, levels.end(), [&](const Policy* r) { return r->libc < libc; });
    levels.insert(older, result.derived.back().get());
    return;
  }
}

}  // namespace

std::string level_name(Family family, const Version& libc) {
  if (family == Family::Android) return fmt::format("android_{}", libc.parts[0]);
  return fmt::format("{}_{}_{}", name_of(family), libc.parts[0], libc.parts[1]);
}

WheelLevels wheel_levels_of(const PolicySet& policies, const TargetPlatform& targets) {
  WheelLevels result;
  result.policy_levels = policies.policy_levels(targets.family, targets.arch);
  for (const Policy& level : result.policy_levels.levels) result.levels.push_back(&level);
  if (result.levels.empty()) {
    result.derived.push_back(std::make_unique<const Policy>(linux_policy(targets.family)));
    result.levels.push_back(result.derived.back().get());
  }
  for (const Version& libc : targets.claimed) insert_claimed(libc, targets.family, result);
  for (std::size_t i = 0; i < result.levels.size(); ++i) {
    const Policy& level = *result.levels[i];
    if (i > 0 && !level.versions.empty()) result.distinguishes_levels = true;
    const std::string_view arch = i == 0 ? name_of(targets.arch) : arch_text(targets.family, targets.arch);
    result.names.push_back(fmt::format("{}_{}", level.name, arch));
  }
  return result;
}

}  // namespace wheelcheck::policy
