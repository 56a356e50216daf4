// Whether each version that a file needs is defined by the file that it names (glibc elf/dl-version.c).
#include "ldso/process_versions.h"

#include <fmt/format.h>

#include <algorithm>

namespace wheelcheck::resolver {
namespace {

using process::Missing;

// match_symbol. A file without any definition of a version is taken for one that was built without them.
bool defines(const DynamicFacts& facts, std::string_view version) {
  return facts.provides.empty() ||
         std::ranges::find(facts.provides, version, &VersionDefinition::version) != facts.provides.end();
}

}  // namespace

Loaded<void> check_versions(const Maps& maps, ObjectIndex object) {
  const DynamicFacts* const facts = maps.dynamic(object);
  if (facts == nullptr || maps.files().file(object).reference) return {};
  std::string_view library;
  std::optional<ObjectIndex> needed;
  for (const VersionNeed& need : facts->needs) {
    maps.files().work().spend(1);
    if (maps.files().work().spent()) return std::unexpected(given_up(maps.files().work()));
    if (!needed || need.library != library) {
      library = need.library;
      needed = maps.answering(library);
    }
    if (!needed)
      return std::unexpected(LoadError{.text = "Inconsistency detected by ld.so: dl-version.c: _dl_check_map_versions: "
                                               "Assertion `needed != NULL' failed!",
                                       .fatal = true,
                                       .missing = Missing{.what = Missing::What::VersionOf,
                                                          .from = object,
                                                          .name = std::string(library),
                                                          .version = std::string(need.version)}});
    const DynamicFacts* const definer = maps.dynamic(*needed);
    if (definer == nullptr || need.weak || maps.files().file(*needed).reference) continue;
    maps.files().work().spend(definer->provides.size());
    if (defines(*definer, need.version)) continue;
    return std::unexpected(
        LoadError{.text = fmt::format("{}: version `{}' not found (required by {})", maps.shown_name(*needed),
                                      need.version, maps.shown_name(object)),
                  .missing = Missing{.what = Missing::What::Version,
                                     .from = object,
                                     .name = std::string(library),
                                     .version = std::string(need.version),
                                     .library = needed}});
  }
  return {};
}

LoadError inconsistent_version() {
  return {.text =
              "Inconsistency detected by ld.so: dl-lookup.c: check_match: Assertion `version->filename == NULL || ! "
              "_dl_name_match_p (version->filename, map)' failed!",
          .fatal = true};
}

}  // namespace wheelcheck::resolver
