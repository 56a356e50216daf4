// WC716: a software bill of materials that scanners cannot use.
#include "rules/archive/wheel_flaws.h"

namespace wheelcheck::rules::sbom_invalid {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Sbom}, [](const WheelFlaw&) {
    return "write it with a tool for CycloneDX or SPDX, or repair the wheel with auditwheel 6.5 or newer";
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC716",
    .name = "sbom-invalid",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::sbom_invalid
