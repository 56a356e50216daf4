// WC234: two wheels, one of which requires the other, contain different versions of a library that checks its callers.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/sets/set_common.h"

namespace wheelcheck::rules::handed_objects {
namespace {

struct Copy {
  ElfIndex file;
  std::string version;
};

// The string of the file that is only a version, if there is exactly one, such as libxml2's xmlParserVersion.
std::string bare_version(const ElfFacts& facts) {
  std::string found;
  for (const std::string_view text : facts.texts.versions) {
    const bool bare = std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
    if (!bare || text.find('.') == text.npos) continue;
    if (!found.empty()) return "";
    found = text;
  }
  return found;
}

std::optional<Copy> copy_in(const Distribution& distribution, const KnownLibrary& known) {
  for (std::uint32_t i = 0; i < distribution.analysis.elfs.size(); ++i)
    for (const IdentifiedLibrary& library : distribution.analysis.elfs[i].libraries) {
      if (library.library != known.id) continue;
      std::string version = library.version ? *library.version : bare_version(distribution.facts.elfs[i].facts);
      if (!version.empty()) return Copy{{i}, std::move(version)};
    }
  return std::nullopt;
}

// Structures stay as they are in a series of patch releases, and the check of xmlsec compares no more than 2.14
// of 2.14.6.
bool same_layout(std::string_view a, std::string_view b) {
  const auto series = [](std::string_view version) {
    const std::size_t minor = version.find('.');
    return minor == version.npos ? version : version.substr(0, version.find('.', minor + 1));
  };
  return series(a) == series(b);
}

void compare(const Installation& all, DistributionIndex user, DistributionIndex provider, const KnownLibrary& known,
             const Emit& emit) {
  const auto own = copy_in(all.distributions[user.value], known),
             other = copy_in(all.distributions[provider.value], known);
  if (!own || !other || same_layout(own->version, other->version)) return;
  const auto path = [&](DistributionIndex distribution, ElfIndex elf) {
    const WheelFacts& wheel = all.distributions[distribution.value].facts;
    return wheel.members[wheel.elfs[elf.value].member.value].path.text();
  };
  const std::string first = name_of(all, user), second = name_of(all, provider);
  const auto& object = all.objects[user.value][own->file.value];
  emit({.place = object ? Place(AtObject{*object}) : Place(AtPath{path(user, own->file)}),
        .message = fmt::format("{} contains {} {}, but {}, which it requires, contains {}: objects that they exchange "
                               "have different layouts, and the library refuses or misreads them",
                               first, known.name, own->version, second, other->version),
        .evidence = {{"in " + first, path(user, own->file)},
                     {"in " + second, path(provider, other->file)},
                     {"Requires-Dist", std::string(requirement_on(all, user, provider).value_or(""))}},
        .fix = fmt::format("install releases of {} and {} that were built with one version of {}; if there are no such "
                           "wheels, build both from source: pip install --no-binary {},{} {}",
                           first, second, known.name, shell_word(first), shell_word(second), shell_word(first))});
}

void check_set(const SetView& view, const Emit& emit) {
  const Installation& all = view.conflicts.installation;
  for (std::uint32_t user = 0; user < all.distributions.size(); ++user)
    for (std::uint32_t provider = 0; provider < all.distributions.size(); ++provider) {
      if (user == provider || !requirement_on(all, {user}, {provider})) continue;
      for (const KnownLibrary& known : view.knowledge.libraries)
        if (known.checks_version) compare(all, {user}, {provider}, known, emit);
    }
}

}  // namespace

extern const Rule rule{
    .code = "WC234",
    .name = "handed-objects",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::handed_objects
