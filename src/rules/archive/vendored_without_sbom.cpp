// WC711: the wheel contains third-party libraries that no software bill of materials lists.
#include <fmt/format.h>

#include <algorithm>

#include "rules/archive/sbom_match.h"
#include "rules/common.h"

namespace wheelcheck::rules::vendored_without_sbom {
namespace {

void report_unnamed(const WheelView& view, const Emit& emit) {
  const SbomMatch match = match_sboms(view);
  if (match.certain == 0) return;
  std::vector<std::string> files;
  for (const ElfIndex index : match.unnamed) files.emplace_back(path_of(view, index));
  const bool all = match.certain == match.unnamed.size();
  emit({.place = WholeWheel{},
        .message =
            fmt::format("contains {} that no software bill of materials of the wheel names",
                        match.certain == 1 ? "a bundled library" : fmt::format("{} bundled libraries", match.certain)),
        .evidence = {{all ? "libraries" : "among", list_of(files)}},
        .fix =
            "list them in a CycloneDX file below .dist-info/sboms/ (PEP 770): auditwheel names only what comes from a "
            "package of the distribution, not what your build compiles",
        .severity = {},
        .confidence = all ? std::nullopt : std::optional(Confidence::Medium)});
}

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  if (!view.wheel.sboms.empty()) return report_unnamed(view, emit);
  const std::string sboms = *view.wheel.dist_info + "/sboms/";
  if (std::ranges::any_of(view.wheel.members, [&](const MemberFacts& m) { return m.path.text().starts_with(sboms); }))
    return;
  std::vector<std::string> files;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (std::holds_alternative<BundledLibrary>(elf.role)) files.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("bundles {}, but contains no software bill of materials in {}",
                               files.size() == 1 ? "a library" : fmt::format("{} libraries", files.size()), sboms),
        .evidence = {{"libraries", list_of(files)}},
        .fix = "`wheelcheck sbom WHEEL --embed DIR` adds one; auditwheel 6.5 and newer write one during repair",
        .severity = {},
        .confidence = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC711",
    .name = "vendored-without-sbom",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::vendored_without_sbom
