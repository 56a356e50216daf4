// Reads a policy in the format of policies/schema/policy.schema.json. A test checks that the keys here and in the
// schema are the same.
#include "policy/validate.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "base/text.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;

std::optional<Family> family_of(std::string_view libc) {
  if (libc == "glibc") return Family::Manylinux;
  if (libc == "musl") return Family::Musllinux;
  if (libc == "bionic") return Family::Android;
  return std::nullopt;
}

void read_libc(const Cursor& libc, Level& level) {
  if (!libc.is_object()) return;
  libc.only({"family", "version"});
  if (const auto family = libc.require("family")) {
    const std::optional<std::string> text = family->text();
    const std::optional<Family> known = text ? family_of(*text) : std::nullopt;
    if (known) level.family = *known;
    if (text && !known)
      family->problem(fmt::format("is \"{}\"; write \"glibc\", \"musl\" or \"bionic\"", escape(*text, 100)));
  }
  if (const auto version = libc.require("version")) {
    const std::optional<std::string> text = version->text();
    if (text && !parse_version(*text, level.libc))
      version->problem(fmt::format("is \"{}\"; write numbers with dots, as in \"2.17\"", escape(*text, 100)));
  }
}

// If the name contains a level, it must be the level in `libc`.
void agree_with_name(const Cursor& document, Level& level) {
  Level named = level;
  if (!read_level_name(level.name, named)) return;
  const bool same = named.family == level.family && named.libc == level.libc;
  if (!same && document.find("libc")) {
    document.find("libc")->problem(fmt::format("says {} {}, but the name says {} {}; make them agree",
                                               name_of(level.family), to_string(level.libc), name_of(named.family),
                                               to_string(named.libc)));
  }
  level = std::move(named);
}

void add(const StringSet& more, StringSet& set) { set.insert(more.begin(), more.end()); }

// Reads the lists that may be at the top, for all architectures, and in one architecture.
void read_lists(const Cursor& place, Policy& policy) {
  if (const auto libraries = place.find("libraries")) add(libraries->word_set(Word::Soname), policy.libraries);
  if (const auto denied = place.find("denied_symbols")) {
    for (auto& [library, symbols] : denied->word_sets(Word::Soname, Word::Plain))
      add(symbols, policy.denied_symbols[library]);
  }
}

void read_architectures(const Cursor& architectures, const Policy& shared, Level& level) {
  if (!architectures.is_object()) return;
  if (architectures.members().empty()) architectures.problem("names no architecture; add one, as in \"x86_64\": {}");
  for (const auto& [name, place] : architectures.members()) {
    const std::optional<Arch> arch = arch_from_name(name);
    if (!arch) {
      place.problem("is not a known architecture; write it as in a platform tag: x86_64, aarch64");
      continue;
    }
    if (!place.is_object()) continue;
    place.only({"versions", "libraries", "denied_symbols"});
    Policy policy = shared;
    read_lists(place, policy);
    if (const auto versions = place.find("versions")) policy.versions = versions->word_sets(Word::Family, Word::Plain);
    for (const auto& [library, symbols] : policy.denied_symbols) {
      if (!policy.libraries.contains(library)) {
        place.problem(fmt::format("denies symbols of {}, which is not among its libraries; add it there or remove it",
                                  escape(library, 100)));
      }
    }
    level.policies.emplace(*arch, std::move(policy));
  }
}

}  // namespace

Level read_level(const Cursor& document) {
  Level level;
  if (!document.is_object()) return level;
  document.only({"$schema", "$comment", "name", "aliases", "libc", "basis", "libraries", "denied_symbols",
                 "allows_libpython", "architectures"});
  for (const char* text : {"$schema", "$comment", "basis"})
    if (const auto place = document.find(text)) place->text();
  if (const auto name = document.require("name")) level.name = name->word(Word::Name).value_or("");
  if (const auto aliases = document.find("aliases")) level.aliases = aliases->words(Word::Name);
  if (const auto libc = document.require("libc")) read_libc(*libc, level);
  agree_with_name(document, level);

  Policy shared;
  shared.name = level.name;
  shared.aliases = level.aliases;
  shared.family = level.family;
  shared.libc = level.libc;
  read_lists(document, shared);
  if (const auto allows = document.find("allows_libpython")) {
    if (allows->value().is_boolean()) {
      shared.allows_libpython = allows->value().get<bool>();
    } else {
      allows->problem("is neither true nor false; write one of them");
    }
  }
  if (const auto architectures = document.require("architectures")) read_architectures(*architectures, shared, level);
  return level;
}

Version libc_of_nodes(const Level& level) {
  std::optional<Version> least;
  for (const auto& [arch, policy] : level.policies) {
    const auto nodes = policy.versions.find("GLIBC");
    if (nodes == policy.versions.end()) continue;
    Version greatest;
    for (const std::string_view text : nodes->second) {
      Version version;
      if (parse_version(text, version)) greatest = std::max(greatest, version);
    }
    least = least ? std::min(*least, greatest) : greatest;
  }
  return least.value_or(Version{});
}

std::vector<Level> read_levels(std::string_view text, Problems& problems) {
  const std::optional<nlohmann::json> document = parse_document(text, problems);
  if (!document) return {};
  const Cursor cursor(*document, problems);
  if (document->is_array()) return read_auditwheel(cursor);
  std::vector<Level> levels;
  levels.push_back(read_level(cursor));
  return levels;
}

}  // namespace wheelcheck::policy
