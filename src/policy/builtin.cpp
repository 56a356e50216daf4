// Converts the built-in policies to levels, and implements PolicySet.
#include "policy/builtin.h"

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "policy/level.h"

namespace wheelcheck::policy {
namespace {

std::map<std::string, StringSet, std::less<>> sets_of(std::span<const BuiltinSet> sets) {
  std::map<std::string, StringSet, std::less<>> result;
  for (const auto& [key, texts] : sets) result.emplace_hint(result.end(), key, StringSet::of_constants(texts));
  return result;
}

Level level_of(const BuiltinPolicy& row) {
  Level level;
  level.name = std::string(row.name);
  level.aliases.assign(row.aliases.begin(), row.aliases.end());
  level.family = row.family;
  level.libc = row.libc;
  return level;
}

Policy policy_of(const BuiltinPolicy& row, const Level& level) {
  return {.name = level.name,
          .aliases = level.aliases,
          .family = level.family,
          .libc = level.libc,
          .versions = sets_of(row.versions),
          .libraries = StringSet::of_constants(row.libraries),
          .denied_symbols = sets_of(row.denied_symbols),
          .allows_libpython = row.allows_libpython};
}

std::vector<Level> levels_of(auto is_selected) {
  std::vector<Level> levels;
  for (const BuiltinPolicy& row : builtin_policies) {
    if (!is_selected(row)) continue;
    if (levels.empty() || levels.back().name != row.name) levels.push_back(level_of(row));
    levels.back().policies.emplace(row.arch, policy_of(row, levels.back()));
  }
  return levels;
}

}  // namespace

std::vector<Level> builtin_levels() {
  return levels_of([](const BuiltinPolicy&) { return true; });
}

std::vector<Level> builtin_levels(PlatformTag::Family family, Arch arch) {
  return levels_of([&](const BuiltinPolicy& row) { return row.family == family && row.arch == arch; });
}

}  // namespace wheelcheck::policy

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
