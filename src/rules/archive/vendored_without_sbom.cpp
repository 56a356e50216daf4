// WC711: the wheel contains third-party libraries, but no software bill of materials that lists them.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::vendored_without_sbom {
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
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::vendored_without_sbom
