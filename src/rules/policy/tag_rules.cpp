// Platform tags that installers do not take, or that the code does not fit.
#include <fmt/format.h>

#include "rules/common.h"
#include "rules/policy/tags.h"

// WC111: a file declares that it needs a newer x86 processor than the tag allows.
namespace wheelcheck::rules::isa_above_tag {
namespace {

void check(const WheelView& view, const Emit& emit) {
  for (const UnmetRequirement<IsaRequirement>& unmet_requirement : unmet_requirements_of<IsaRequirement>(view)) {
    const unsigned level = unmet_requirement.what->level;
    emit({.place = AtElf{unmet_requirement.elf},
          .message = fmt::format("requires an x86-64-v{} processor, {} allows only the baseline", level,
                                 strictest(unmet_requirement.claims).text),
          .evidence = {{"property note", fmt::format("x86 ISA needed: x86-64-v{}", level)},
                       {"blocks", tags_of(unmet_requirement.claims)}},
          .fix = fmt::format("compile with -march=x86-64 and choose faster code at run time, or publish the file in a "
                             "wheel for x86-64-v{}",
                             level),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC111",
    .name = "isa-above-tag",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::isa_above_tag

// WC114: the newest claimed level has a build image that no longer gets updates.
namespace wheelcheck::rules::retired_tag {
namespace {

void check_family(const WheelView& view, const Emit& emit, PlatformTag::Family family) {
  const Claim* newest = nullptr;
  for (const Claim& claim : view.claims)
    if (claim.tag.family == family && (newest == nullptr || claim.tag.libc > newest->tag.libc)) newest = &claim;
  if (newest == nullptr) return;
  const BuildImage* const at = retired_image(newest->tag);
  if (at == nullptr) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("claims no tag newer than {}: its build image {} ({}) is end of life since {}",
                               newest->tag.text, at->name, at->base, at->ended),
        .evidence = {},
        .fix = fmt::format("build in the {} image; keep the older tag if the content is still compatible with it",
                           at->next),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  check_family(view, emit, PlatformTag::Family::Manylinux);
  check_family(view, emit, PlatformTag::Family::Musllinux);
}

}  // namespace

extern const Rule rule{
    .code = "WC114",
    .name = "retired-tag",
    .severity = Severity::Note,
    .confidence = Confidence::Low,
    .check = check,
};

}  // namespace wheelcheck::rules::retired_tag

// WC117: a platform tag of the file name that no installer on Linux accepts.
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
