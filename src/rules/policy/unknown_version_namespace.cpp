// WC107: a version node of an allowed library that no policy can judge, because no level lists its family.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules {
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
      const auto* const asks = std::get_if<VersionRequirement>(&requirement.what);
      if (asks == nullptr) continue;
      Unknown& unknown = found[{requirement.elf, asks->library}];
      if (!unknown.seen.insert(asks->version).second) continue;  // of another policy_levels
      unknown.nodes.push_back(asks->version.empty() ? "''" : asks->version);
      unknown.families.insert(std::string(version_family(asks->version)));
      unknown.symbols.insert(unknown.symbols.end(), asks->symbols.begin(), asks->symbols.end());
    }
  }
  for (const auto& [key, unknown] : found) {
    // libxcrypt stands in for glibc's libcrypt on many systems and has versions of its own.
    const bool none_has_it = is_of_glibc(key.second) && !key.second.starts_with("libcrypt.");
    std::vector<Evidence> evidence{{"library", key.second}, {"versions", list_of(unknown.nodes)}};
    if (!unknown.symbols.empty()) evidence.push_back({"symbols", list_of(unknown.symbols, shown_symbols)});
    emit({.place = AtElf{key.first},
          .message = fmt::format("needs {} of {}, a version that {}", first_of(unknown.nodes), key.second,
                                 none_has_it ? "no glibc has" : "no policy knows"),
          .evidence = std::move(evidence),
          .fix =
              none_has_it
                  ? "link against the glibc of the promised system: the file was changed, or linked with a made-up "
                    "library"
                  : fmt::format("check by hand that the promised systems have it, and list {} under \"versions\" of a "
                                "policy of your own: --policy FILE",
                                list_of({unknown.families.begin(), unknown.families.end()})),
          .severity = none_has_it ? std::optional(Severity::Error) : std::nullopt,
          .confidence = none_has_it ? std::optional(Confidence::High) : std::nullopt});
  }
}

}  // namespace

extern const Rule unknown_version_namespace{
    .code = "WC107",
    .name = "unknown-version-namespace",
    .severity = Severity::Warning,
    .confidence = Confidence::Low,
    .summary = "A symbol version of an allowed library is of a family that no policy lists.",
    .why =
        "A policy lists the versions that every promised system has, by family: GLIBC, GLIBCXX, ZLIB. Where a library "
        "is "
        "allowed and the node is of a family that is listed nowhere (a library built with another version script, a "
        "distribution's own node), nothing can be compared, and the need passes without a word here as in auditwheel. "
        "The loader is not so kind: it refuses the file where the version is missing.",
    .remedy =
        "Find out where the library on the build machine comes from; the systems that the tag names may have another "
        "build of it without that version. Link against a plain build, or teach the policy the family: `--policy "
        "FILE`.",
    .false_positives =
        "Of glibc's own libraries every version is known, so there it is an error. Elsewhere: a family that every "
        "system "
        "does have and that the policies were not told of. Whether that is so cannot be "
        "seen "
        "from the wheel, hence the low confidence.",
    .check = check,
};

}  // namespace wheelcheck::rules
