// WC714: a variant label and variant.json belong together (PEP 825, a draft).
#include <fmt/format.h>

#include "rules/archive/wheel_flaws.h"
#include "rules/common.h"

namespace wheelcheck::rules::variant_invalid {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  const std::string path = *view.wheel.dist_info + "/variant.json";
  const bool labelled = !view.wheel.name.variant.empty();
  const std::optional<MemberIndex> metadata = find_member(view.wheel.members, path);
  if (labelled && !metadata)
    emit({.place = WholeWheel{},
          .message = fmt::format("has the variant label {} and no variant.json", view.wheel.name.variant),
          .evidence = {{"missing", path}},
          .fix = "build it with a backend that writes variant.json, or remove the label from the file name",
          .severity = {},
          .confidence = {}});
  if (!labelled && metadata)
    emit({.place = AtMember{*metadata},
          .message = "describes a variant, but the file name has no variant label",
          .evidence = {},
          .fix = "add the label after the platform tag (NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl), or leave "
                 "variant.json out",
          .severity = {},
          .confidence = {}});
  emit_wheel_flaws(
      view, emit, {WheelArea::Variant},
      [](const WheelFlaw&) { return "write variant.json by the schema of PEP 825, with the label of the file name"; },
      Severity::Error);
}

}  // namespace

extern const Rule rule{
    .code = "WC714",
    .name = "variant-invalid",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .check = check,
};

}  // namespace wheelcheck::rules::variant_invalid
