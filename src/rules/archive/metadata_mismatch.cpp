// WC706: file name, .dist-info directory, WHEEL and METADATA must agree.
#include <fmt/format.h>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules::metadata_mismatch {
namespace {

void check(const WheelView& view, const Emit& emit) {
  emit_wheel_flaws(view, emit, {WheelArea::Name, WheelArea::DistInfo, WheelArea::Wheel, WheelArea::Metadata},
                   [](const WheelFlaw& flaw) -> std::string {
                     if (flaw.area == WheelArea::Name) return "let the build back end name the wheel";
                     return "correct it where the wheel is built, and build it again";
                   });
}

}  // namespace

extern const Rule rule{
    .code = "WC706",
    .name = "metadata-mismatch",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::metadata_mismatch
