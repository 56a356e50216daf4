// WC716: a software bill of materials that scanners cannot use, or that lists what the wheel does not contain.
#include <fmt/format.h>

#include "base/text.h"
#include "rules/archive/sbom_match.h"
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::sbom_invalid {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Sbom}, [](const WheelFlaw&) {
    return "write it with a tool for CycloneDX or SPDX, or repair the wheel with auditwheel 6.5 or newer";
  });
  for (const SbomMatch::Absent& absent : match_sboms(view).absent)
    emit({.place = AtMember{absent.sbom},
          .message = fmt::format("names {}, and the wheel contains no such library", escape(absent.what, 100)),
          .evidence = {},
          .fix = "write it after the last step that adds, renames or removes libraries",
          .severity = {},
          .confidence = Confidence::Medium});
}

}  // namespace

extern const Rule rule{
    .code = "WC716",
    .name = "sbom-invalid",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::sbom_invalid
