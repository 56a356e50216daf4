// Orders levels and converts them to policy families.
#include "policy/level.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace wheelcheck::policy {
namespace {

bool share_a_name(const Level& a, const Level& b) {
  const auto called = [](const Level& level, const std::string& name) {
    return level.name == name || std::ranges::find(level.aliases, name) != level.aliases.end();
  };
  return called(a, b.name) || std::ranges::any_of(b.aliases, [&](const std::string& name) { return called(a, name); });
}

}  // namespace

Policy linux_policy(PlatformTag::Family family) {
  Policy policy;
  policy.name = "linux";
  policy.family = family;
  return policy;
}

bool read_level_name(const std::string& name, Level& level) {
  constexpr std::string_view probe = "_x86_64";  // an architecture that all families have
  const PlatformTag tag = parse_platform_tag(name + std::string(probe));
  using Family = PlatformTag::Family;
  if (tag.family != Family::Manylinux && tag.family != Family::Musllinux && tag.family != Family::Android) return false;
  if (tag.arch != Arch::x86_64) return false;
  level.family = tag.family;
  level.libc = tag.libc;
  level.name = tag.canonical.substr(0, tag.canonical.size() - probe.size());
  if (level.name != name && std::ranges::find(level.aliases, name) == level.aliases.end())
    level.aliases.push_back(name);
  return true;
}

std::vector<Level> in_order(std::vector<Level> levels) {
  std::vector<Level> kept;
  for (Level& level : levels) {
    std::erase_if(kept, [&](const Level& earlier) { return share_a_name(earlier, level); });
    kept.push_back(std::move(level));
  }
  std::ranges::stable_sort(
      kept, [](const Level& a, const Level& b) { return std::pair(a.family, a.libc) < std::pair(b.family, b.libc); });
  return kept;
}

std::vector<PolicyLevels> level_sets_of(std::vector<Level> levels) {
  std::vector<Level> kept = in_order(std::move(levels));
  std::ranges::reverse(kept);  // newest first

  std::map<std::pair<PlatformTag::Family, Arch>, PolicyLevels> level_sets;
  for (Level& level : kept) {
    for (auto& [arch, policy] : level.policies) {
      PolicyLevels& policy_levels = level_sets[{level.family, arch}];
      if (policy_levels.levels.empty()) {
        policy_levels.family = level.family;
        policy_levels.arch = arch;
        policy_levels.levels.push_back(linux_policy(level.family));
      }
      policy_levels.levels.push_back(std::move(policy));
    }
  }
  std::vector<PolicyLevels> result;
  for (auto& [key, policy_levels] : level_sets) result.push_back(std::move(policy_levels));
  return result;
}

}  // namespace wheelcheck::policy
