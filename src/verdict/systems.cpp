// Which systems the user means.
#include "wheelcheck/systems.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "base/text.h"

namespace wheelcheck {
namespace {

// opensuse-leap-15.6 -> opensuse-leap
std::string_view family_of(const KnownSystem& system) {
  return std::string_view(system.id).substr(0, system.id.rfind('-'));
}

bool is_named(const KnownSystem& system, const std::string& word) {
  return word == family_of(system) || word == system.codename || glob_match(word, system.id);
}

}  // namespace

Result<std::vector<KnownSystem>> choose_systems(std::vector<KnownSystem> systems, std::span<const std::string> words) {
  if (words.empty()) return systems;
  for (const std::string& word : words) {
    if (std::ranges::any_of(systems, [&](const KnownSystem& system) { return is_named(system, word); })) continue;
    std::set<std::string_view> families;
    for (const KnownSystem& system : systems) families.insert(family_of(system));
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("no system is named {}; known are {}, each with a "
                                                               "version, as in debian-12",
                                                               escape(word, 100), fmt::join(families, ", "))});
  }
  std::erase_if(systems, [&](const KnownSystem& system) {
    return std::ranges::none_of(words, [&](const std::string& word) { return is_named(system, word); });
  });
  return systems;
}

}  // namespace wheelcheck
