// WC117: a platform tag of the file name that no installer on Linux accepts.
#include <fmt/format.h>

#include "rules/common.h"
#include "rules/policy/tags.h"

namespace wheelcheck::rules::tag_not_installable {
namespace {

// The best tag for the content, as a replacement for a tag that cannot be corrected.
std::string tag_of_content(const WheelView& view) {
  for (const Assessment& assessment : view.assessments)
    if (assessment.files > 0) return assessment.level_names[assessment.best.value];
  return "";
}

void check(const WheelView& view, const Emit& emit) {
  for (const Claim& claim : view.claims) {
    if (!claim.in_name) continue;
    const std::string reason = installer_refusal(claim.tag);
    if (reason.empty()) continue;
    std::string right = corrected_spelling(claim.tag);
    if (right.empty()) right = tag_of_content(view);
    emit({.place = WholeWheel{},
          .message = fmt::format("claims {}, which no installer accepts: it {}", claim.tag.text, reason),
          .evidence = {{"tag", claim.tag.text}},
          .fix = right.empty() ? std::string("use a tag that pip accepts: python3 -m pip debug --verbose lists them")
                               : wheel_tags_command(view, right),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC117",
    .name = "tag-not-installable",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::tag_not_installable
