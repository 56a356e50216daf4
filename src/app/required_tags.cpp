#include "app/required_tags.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/text.h"
#include "model/machines.h"
#include "model/required_tag.h"

namespace wheelcheck::app {
namespace {

using Family = PlatformTag::Family;

// The API level of Android has no newest policy.
bool is_between(const PlatformTag& tag, const std::vector<Policy>& levels) {
  constexpr std::size_t newest = 1;  // levels[0] is `linux`
  return levels.size() > newest && tag.libc >= levels.back().libc &&
         (tag.family == Family::Android || tag.libc <= levels[newest].libc);
}

Result<void> find_level(const std::string& text, const PolicySet& policies) {
  const auto tag = parse_required_tag(text);
  if (!tag) return std::unexpected(Error{ErrorCode::Usage, fmt::format("no tag to require: {}", escape(text))});
  std::vector<std::string> names;
  std::string newest, oldest;
  Version oldest_libc;
  for (const PolicyLevels& one : policies.level_sets()) {
    if (one.family != tag->family || (tag->arch != Arch::Other && one.arch != tag->arch)) continue;
    if (is_between(*tag, one.levels)) return {};
    for (std::size_t i = 1; i < one.levels.size(); ++i) {
      names.push_back(tag->arch == Arch::Other
                          ? one.levels[i].name
                          : fmt::format("{}_{}", one.levels[i].name, arch_text(one.family, one.arch)));
      if (newest.empty()) newest = names.back();
    }
    const bool is_older = one.levels.size() > 1 && (oldest.empty() || one.levels.back().libc < oldest_libc);
    if (is_older) oldest = names.back(), oldest_libc = one.levels.back().libc;
  }
  const std::string similar = closest(text, names);
  const bool is_before = !oldest.empty() && tag->libc < oldest_libc;
  const std::string advice = is_before          ? "; the oldest is " + escape(oldest)
                             : !similar.empty() ? "; a similar one exists: " + escape(similar)
                             : newest.empty()   ? "; `wheelcheck policy list` lists them"
                                                : "; the newest is " + escape(newest);
  return std::unexpected(
      Error{ErrorCode::Usage, fmt::format("require-tag: no level is named {}{}", escape(text), advice)});
}

}  // namespace

Result<void> find_required_levels(const Settings& settings, const PolicySet& policies) {
  std::vector<std::string> tags = settings.required_tags;
  for (const TagsOfMachine& one : settings.tags_of_machines) tags.insert(tags.end(), one.tags.begin(), one.tags.end());
  for (const std::string& tag : tags)
    if (auto found = find_level(tag, policies); !found) return found;
  return {};
}

}  // namespace wheelcheck::app
