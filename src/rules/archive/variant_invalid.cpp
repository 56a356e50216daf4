// WC714: a variant label and variant.json belong together (PEP 825, a draft).
#include <fmt/format.h>

#include "rules/common.h"

namespace wheelcheck::rules {
namespace {

void check(const WheelView& view, const Emit& emit) {
  if (!view.wheel.dist_info) return;
  const std::string path = *view.wheel.dist_info + "/variant.json";
  const bool labelled = !view.wheel.name.variant.empty();
  std::optional<MemberIndex> metadata;
  for (std::uint32_t i = 0; i < view.wheel.members.size(); ++i)
    if (view.wheel.members[i].path.text() == path) metadata = MemberIndex{i};
  if (labelled && !metadata)
    emit({.place = WholeWheel{},
          .message = fmt::format("has the variant label {} and no variant.json", view.wheel.name.variant),
          .evidence = {{"missing", path}},
          .fix = "build it with a backend that writes variant.json, or take the label off the file name",
          .severity = {},
          .confidence = {}});
  if (!labelled && metadata)
    emit({.place = AtMember{*metadata},
          .message = "describes a variant, but the file name has no variant label",
          .evidence = {},
          .fix = "put the label behind the platform tag (NAME-VERSION-PYTHON-ABI-PLATFORM-LABEL.whl), or leave "
                 "variant.json out",
          .severity = {},
          .confidence = {}});
}

}  // namespace

extern const Rule variant_invalid{
    .code = "WC714",
    .name = "variant-invalid",
    .severity = Severity::Warning,
    .confidence = Confidence::Medium,
    .summary = "The variant label of the file name and variant.json do not go together.",
    .why =
        "A variant wheel (PEP 825) has a label behind its platform tag, and `variant.json` in its `.dist-info` says "
        "what the label stands for. Installers that know variants choose by these properties; without the file they "
        "cannot, and without the label they take the wheel for one that runs everywhere.",
    .remedy = "Build both with a backend that knows variants. The two are never written by hand.",
    .false_positives =
        "PEP 825 is a draft and may change. Only what all its versions ask is checked: what variant.json says is not "
        "read.",
    .check = check,
};

}  // namespace wheelcheck::rules
