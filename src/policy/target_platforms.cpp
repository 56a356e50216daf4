// Determines the policy families that a wheel is compared with: those that it claims, or else those of its content.
#include <algorithm>
#include <array>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "base/text.h"
#include "model/machines.h"
#include "policy/assess.h"
#include "policy/requirements.h"
#include "policy/wheel_levels.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

// The tags of the file name, then those of the WHEEL file.
std::vector<PlatformTag> claimed_tags(const WheelFacts& wheel) {
  std::vector<PlatformTag> tags = wheel.name.platforms;
  if (!wheel.wheel) return tags;
  std::set<std::string, std::less<>> seen;
  for (const PlatformTag& tag : tags) seen.insert(tag.text);
  for (const std::string& line : wheel.wheel->tags) {
    const std::vector<std::string_view> parts = split(line, '-');
    if (parts.size() != 3) continue;  // python-abi-platform; a rule reports other forms
    for (const std::string_view text : split(parts[2], '.')) {
      if (seen.emplace(text).second) tags.push_back(parse_platform_tag(text));
    }
  }
  return tags;
}

void claim(std::vector<TargetPlatform>& targets, Family family, Arch arch, const Version& libc) {
  auto at =
      std::ranges::find_if(targets, [&](const TargetPlatform& w) { return w.family == family && w.arch == arch; });
  if (at == targets.end()) at = targets.insert(at, TargetPlatform{family, arch, {}});
  const auto place = std::ranges::lower_bound(at->claimed, libc);
  if (place == at->claimed.end() || *place != libc) at->claimed.insert(place, libc);
}

// Handles a tag that is defined only by a user's policy.
void claim_by_policy(std::vector<TargetPlatform>& targets, const PlatformTag& tag,
                     const std::vector<PolicyLevels>& level_sets) {
  for (const PolicyLevels& policy_levels : level_sets) {
    const std::string ending = '_' + std::string(arch_text(policy_levels.family, policy_levels.arch));
    if (!tag.text.ends_with(ending)) continue;
    const std::string_view name = std::string_view(tag.text).substr(0, tag.text.size() - ending.size());
    for (const Policy& level : policy_levels.levels) {
      const bool is_it = level.name == name || std::ranges::find(level.aliases, name) != level.aliases.end();
      if (is_it && level.name != "linux") claim(targets, policy_levels.family, policy_levels.arch, level.libc);
    }
  }
}

// The C library of most host files of `arch`; glibc if no file shows one.
Family family_of_content(const WheelFacts& wheel, Arch arch) {
  std::array<std::size_t, 3> count{};  // glibc, musl, bionic
  for (const ElfMember& file : wheel.elfs) {
    if (!is_host_code(file) || file.facts.arch != arch) continue;
    if (file.libc == Libc::Glibc) ++count[0];
    if (file.libc == Libc::Musl) ++count[1];
    if (file.libc == Libc::Bionic) ++count[2];
  }
  const auto max = std::ranges::max_element(count) - count.begin();
  return max == 1 ? Family::Musllinux : max == 2 ? Family::Android : Family::Manylinux;
}

// The architecture of most host files; if several have the same number, the first one of the enumeration.
std::optional<Arch> arch_of_content(const WheelFacts& wheel) {
  std::map<Arch, std::size_t> count;
  for (const ElfMember& file : wheel.elfs)
    if (is_host_code(file) && file.facts.arch != Arch::Other) ++count[file.facts.arch];
  const auto max = std::ranges::max_element(count, {}, [](const auto& entry) { return entry.second; });
  if (max == count.end()) return std::nullopt;
  return max->first;
}

}  // namespace

void add_target(std::vector<TargetPlatform>& targets, const PlatformTag& tag) {
  claim(targets, tag.family, tag.arch, tag.libc);
}

std::vector<TargetPlatform> claimed_targets(const WheelFacts& wheel, const PolicySet& policies) {
  const std::vector<PlatformTag> tags = claimed_tags(wheel);
  std::vector<TargetPlatform> targets;
  std::vector<PolicyLevels> level_sets;  // built when a tag needs them
  for (const PlatformTag& tag : tags) {
    const bool has_level_set =
        tag.family == Family::Manylinux || tag.family == Family::Musllinux || tag.family == Family::Android;
    if (has_level_set && tag.arch != Arch::Other) {
      claim(targets, tag.family, tag.arch, tag.libc);
    } else if (tag.family == Family::Other) {
      if (level_sets.empty()) level_sets = policies.level_sets();
      claim_by_policy(targets, tag, level_sets);
    }
  }
  if (!targets.empty()) return targets;

  const std::vector<TargetPlatform> content = targets_of_content(wheel);
  if (content.empty()) return targets;
  for (const PlatformTag& tag : tags) {
    const bool named = tag.family == Family::Linux && tag.arch != Arch::Other;
    if (named && std::ranges::find(targets, tag.arch, &TargetPlatform::arch) == targets.end())
      targets.push_back({family_of_content(wheel, tag.arch), tag.arch, {}});
  }
  return targets.empty() ? content : targets;
}

std::vector<TargetPlatform> targets_of_content(const WheelFacts& wheel) {
  const std::optional<Arch> arch = arch_of_content(wheel);
  if (!arch) return {};
  return {TargetPlatform{family_of_content(wheel, *arch), *arch, {}}};
}

}  // namespace wheelcheck::policy
