// WC107: a version node of an allowed library that cannot be judged, because no level lists its family.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::unknown_version_namespace {
namespace {

struct Unknown {
  std::vector<std::string> nodes, symbols;
  std::set<std::string> families, seen;
};

void check(const WheelView& view, const Emit& emit) {
  std::map<std::pair<ElfIndex, std::string>, Unknown> found;  // by file and library
  for (const Assessment& assessment : view.assessments) {
    for (const RequirementIndex index : assessment.unknown_versions) {
      const Requirement& requirement = assessment.requirements[index.value];
      const auto* const required = std::get_if<VersionRequirement>(&requirement.what);
      if (required == nullptr) continue;
      Unknown& unknown = found[{requirement.elf, required->library}];
      if (!unknown.seen.insert(required->version).second) continue;  // already seen in another policy family
      unknown.nodes.push_back(required->version.empty() ? "''" : required->version);
      unknown.families.insert(std::string(version_family(required->version)));
      unknown.symbols.insert(unknown.symbols.end(), required->symbols.begin(), required->symbols.end());
    }
  }
  for (const auto& [key, unknown] : found) {
    // libxcrypt replaces glibc's libcrypt on many systems and has its own versions.
    const bool none_has_it = is_of_glibc(key.second) && !key.second.starts_with("libcrypt.");
    std::vector<Evidence> evidence{{"library", key.second}, {"versions", list_of(unknown.nodes)}};
    if (!unknown.symbols.empty()) evidence.push_back({"symbols", list_of(unknown.symbols, shown_symbols)});
    emit({.place = AtElf{key.first},
          .message = fmt::format("requires {} of {}, a version that {}", first_of(unknown.nodes), key.second,
                                 none_has_it ? "no glibc has" : "no policy lists"),
          .evidence = std::move(evidence),
          .fix =
              none_has_it
                  ? "link against the glibc of the claimed system: the file was changed, or linked with a stub library"
                  : fmt::format("check by hand that the claimed systems have it, and list {} under \"versions\" of a "
                                "policy of your own: --policy FILE",
                                list_of({unknown.families.begin(), unknown.families.end()})),
          .severity = none_has_it ? std::optional(Severity::Error) : std::nullopt,
          .confidence = none_has_it ? std::optional(Confidence::High) : std::nullopt});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC107",
    .name = "unknown-version-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Low,
    .check = check,
};

}  // namespace wheelcheck::rules::unknown_version_namespace
