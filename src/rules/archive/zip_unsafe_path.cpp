// WC704: members with unusual names or types. Unsafe ones are refused before any rule runs.
#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules::zip_unsafe_path {
namespace {

void check(const WheelView& view, const Emit& emit) {
  const auto fix = [](const WheelFlaw&) { return "rename or remove the file and build the wheel again"; };
  const bool unpacked = view.wheel.size == 0;
  emit_wheel_flaws(view, emit, {WheelArea::Member}, fix, unpacked ? std::optional(Severity::Warning) : std::nullopt);
}

}  // namespace

extern const Rule rule{
    .code = "WC704",
    .name = "zip-unsafe-path",
    .severity = Severity::Error,
    .security = "7.5",
    .check = check,
};

}  // namespace wheelcheck::rules::zip_unsafe_path
