// WC114: the newest claimed level has a build image that no longer gets updates.
#include <fmt/format.h>

#include "rules/policy/tags.h"

namespace wheelcheck::rules::retired_tag {
namespace {

void check_family(const WheelView& view, const Emit& emit, PlatformTag::Family family) {
  const Claim* newest = nullptr;
  for (const Claim& claim : view.claims)
    if (claim.tag.family == family && (newest == nullptr || claim.tag.libc > newest->tag.libc)) newest = &claim;
  if (newest == nullptr) return;
  const RetiredImage* const at = retired_image(newest->tag);
  if (at == nullptr) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("claims no tag newer than {}: its build image {} is end of life since {}",
                               newest->tag.text, at->name, at->ended),
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
    .severity = Severity::Info,
    .confidence = Confidence::Low,
    .check = check,
};

}  // namespace wheelcheck::rules::retired_tag
