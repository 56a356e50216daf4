// Finds the places of levels in their files. The second part is the list of problem kinds.

#include "policy/authoring/source_location.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "json/json.h"
#include "policy/document.h"
#include "wheelcheck/policy_words.h"

namespace wheelcheck::policy {

namespace {

// The index of the object in an array that defines the level, by name or alias.
std::size_t index_of(const nlohmann::json& array, const Level& level) {
  for (std::size_t i = 0; i < array.size(); ++i) {
    if (!array[i].is_object() || !array[i].contains("name") || !array[i]["name"].is_string()) continue;
    const auto name = array[i]["name"].get<std::string>();
    if (name == level.name || std::ranges::find(level.aliases, name) != level.aliases.end()) return i;
  }
  return 0;
}

}  // namespace

std::string Origin::name() const { return json::pointer_step(entry, "name"); }

std::string Origin::architectures() const {
  return json::pointer_step(entry, auditwheel ? "symbol_versions" : "architectures");
}

std::string Origin::versions(Arch arch, std::string_view family) const {
  const std::string place = json::pointer_step(architectures(), name_of(arch));
  return json::pointer_step(auditwheel ? place : json::pointer_step(place, "versions"), family);
}

std::string Origin::libraries(Arch arch) const {
  return auditwheel ? json::pointer_step(entry, "lib_whitelist") : json::pointer_step(architectures(), name_of(arch));
}

std::string Origin::denied(Arch arch, std::string_view library) const {
  return auditwheel ? json::pointer_step(json::pointer_step(entry, "blacklist"), library)
                    : json::pointer_step(architectures(), name_of(arch));
}

std::vector<Placed> placed(const Document& document, std::vector<Level> levels) {
  Problems none;
  const auto json = parse_document(document.text, none);
  std::vector<Placed> out;
  for (Level& level : levels) {
    Origin origin{.file = document.file, .entry = "", .auditwheel = json && json->is_array()};
    if (origin.auditwheel) origin.entry = fmt::format("/{}", index_of(*json, level));
    out.push_back({std::move(level), std::move(origin)});
  }
  return out;
}

}  // namespace wheelcheck::policy

namespace wheelcheck {

// --- the kinds of problems in a policy file -----------------------------------------------------------------------

std::span<const PolicyMistake> all_policy_mistakes() {
  static constexpr PolicyMistake all[] = {
      {"WC901", Severity::Error, "policy-schema",
       "The file is not JSON, or not what policies/schema/policy.schema.json describes (auditwheel's format is read "
       "too). "
       "Every such place is reported with its JSON pointer. Levels of a file that cannot be read are not checked "
       "further."},
      {"WC902", Severity::Error, "not-monotonic",
       "PEP 600: a wheel that is compatible with an older level is compatible with every newer one. So a newer level "
       "allows each library and "
       "version "
       "node that an older one allows, and denies no symbol that the older one allows. Otherwise a wheel could be "
       "compatible with manylinux_2_17 but not with manylinux_2_28. Add what is missing to the newer level, or remove "
       "it from the older one."},
      {"WC903", Severity::Warning, "arch-gap",
       "An older and a newer level have an architecture that this one lacks. Wheels of it must claim the newer "
       "level, "
       "although the older one allows it."},
      {"WC904", Severity::Error, "alias-conflict",
       "Two levels have the same name, or a level has the PEP 600 name of another one: manylinux2014 means only "
       "manylinux_2_17. Installers and this program would then mean different systems."},
      {"WC905", Severity::Warning, "version-not-in-corpus",
       "A version node that no known system of that libc defines: newer than the level's glibc, in a family whose "
       "other "
       "nodes are known but not this one, or absent from a root that was named with --root. With a node that no system "
       "has, a wheel can be compatible with the level and load on no system."},
      {"WC906", Severity::Warning, "library-not-mainstream",
       "A library that a system given with --root does not have in the directories of its loader. Users of a wheel "
       "that requires it would have to install it first. Remove it, or explain in $comment why every system has it."},
  };
  return all;
}

}  // namespace wheelcheck
