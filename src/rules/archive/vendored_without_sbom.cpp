// WC711: libraries from elsewhere in the wheel, and no list of them that a scanner could read.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  const std::string sboms = *view.wheel.dist_info + "/sboms/";
  if (std::ranges::any_of(view.wheel.members, [&](const MemberFacts& m) { return m.path.text().starts_with(sboms); }))
    return;
  std::vector<std::string> files;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (std::holds_alternative<BundledLibrary>(elf.role)) files.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("holds {} from elsewhere and no list of them below {}",
                               files.size() == 1 ? "a library" : fmt::format("{} libraries", files.size()), sboms),
        .evidence = {{"libraries", list_of(files)}},
        .fix = "repair the wheel with auditwheel 6.5 or newer, which writes one",
        .severity = {},
        .confidence = {}});
}

}  // namespace

extern const Rule vendored_without_sbom{
    .code = "WC711",
    .name = "vendored-without-sbom",
    .severity = Severity::Info,
    .summary = "The wheel holds libraries that a repair tool copied in, and no software bill of materials.",
    .why =
        "Scanners for known holes see the wheel's name and version, not the libraries inside; whoever uses the wheel "
        "learns of a hole in one of them from nobody. PEP 770 gives the list a place: `*.dist-info/sboms/`.",
    .remedy =
        "auditwheel 6.5 and newer write one for what they copy in. For libraries that the build brings itself, add a "
        "CycloneDX or SPDX file with the build backend.",
    .false_positives = "None known: whether the list is complete is not looked at.",
    .check = check,
};

}  // namespace wheelcheck::rules
