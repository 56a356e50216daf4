// Reads auditwheel's policy format (its policy-schema.json, 6.8): an array of levels in one file. The result is the
// same as in auditwheel, including the corrections that auditwheel makes in its code (the soname of musl's libc,
// libpython on Android).

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"
#include "model/machines.h"
#include "policy/validate.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

struct LevelEntry {
  Level level;
  std::int64_t priority = 0;
};

void read_auditwheel_lists(const Cursor& entry, Policy& policy) {
  if (const auto libraries = entry.require("lib_whitelist")) policy.libraries = libraries->word_set(Word::Soname);
  if (const auto denied = entry.find("blacklist")) policy.denied_symbols = denied->word_sets(Word::Soname, Word::Plain);
}

void read_auditwheel_architectures(const Cursor& versions, const Policy& shared, Level& level) {
  if (!versions.is_object()) return;
  for (const auto& [name, place] : versions.members()) {
    const std::optional<Arch> arch = arch_from_name(name);
    if (!arch) {
      place.problem("is not a known architecture; nest the lists: {\"x86_64\": {\"GLIBC\": [...]}}");
      continue;
    }
    Policy policy = shared;
    policy.versions = place.word_sets(Word::Family, Word::Plain);
    if (level.family == Family::Musllinux && policy.libraries.contains("libc.so"))
      for (const std::string_view soname : machine_of(*arch).musl_sonames)
        if (!soname.empty()) policy.libraries.insert(std::string(soname));
    level.policies.emplace(*arch, std::move(policy));
  }
}

LevelEntry read_entry(const Cursor& entry) {
  LevelEntry result;
  Level& level = result.level;
  if (!entry.is_object()) return result;
  entry.only({"name", "aliases", "priority", "symbol_versions", "lib_whitelist", "blacklist"});
  const auto name = entry.require("name");
  if (name && name->value() == "linux") return result;
  if (name) level.name = name->word(Word::Name).value_or("");
  if (const auto aliases = entry.find("aliases")) level.aliases = aliases->words(Word::Name);
  if (const auto priority = entry.require("priority")) {
    if (priority->value().is_number_integer()) {
      result.priority = priority->value().get<std::int64_t>();
    } else {
      priority->problem("is not a whole number; write one, greater for an older level");
    }
  }
  const bool named = read_level_name(level.name, level);
  Policy shared;
  shared.family = level.family;
  // PEP 738; auditwheel has this in its code, not in its data.
  shared.allows_libpython = level.family == Family::Android;
  read_auditwheel_lists(entry, shared);
  if (const auto versions = entry.require("symbol_versions")) read_auditwheel_architectures(*versions, shared, level);
  if (!named) level.libc = libc_of_nodes(level);
  if (!named && name && !level.name.empty() && level.libc == Version{}) {
    name->problem(
        "names no level, and lists no GLIBC versions that would determine it; name it as in manylinux_2_17 or list "
        "them");
  }
  for (auto& [arch, policy] : level.policies) {
    policy.name = level.name;
    policy.aliases = level.aliases;
    policy.libc = level.libc;
  }
  return result;
}

}  // namespace

std::vector<Level> read_auditwheel(const Cursor& document) {
  constexpr std::size_t max_levels = 1024;
  if (document.value().size() > max_levels)
    document.problem(fmt::format("has {} levels; the rest after {} is not read", document.value().size(), max_levels));
  std::vector<LevelEntry> entries;
  for (const Cursor& place : document.items(max_levels)) {
    LevelEntry entry = read_entry(place);
    if (!entry.level.name.empty()) entries.push_back(std::move(entry));
  }
  // A higher priority is an older level. The order matters only for levels with the same libc version.
  std::ranges::stable_sort(entries, [](const LevelEntry& a, const LevelEntry& b) { return a.priority > b.priority; });
  std::vector<Level> levels;
  for (LevelEntry& entry : entries) levels.push_back(std::move(entry.level));
  return levels;
}

}  // namespace wheelcheck::policy
