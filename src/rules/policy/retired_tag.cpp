// WC114: nothing newer is claimed than a level whose build image gets no updates any more.
#include <fmt/format.h>

#include "rules/policy/retired.h"

namespace wheelcheck::rules {
namespace {

void check_family(const WheelView& view, const Emit& emit, PlatformTag::Family family) {
  const Claim* newest = nullptr;
  for (const Claim& claim : view.claims)
    if (claim.tag.family == family && (newest == nullptr || claim.tag.libc > newest->tag.libc)) newest = &claim;
  if (newest == nullptr) return;
  const RetiredImage* const at = retired_image(newest->tag);
  if (at == nullptr) return;
  emit({.place = WholeWheel{},
        .message = fmt::format("claims nothing newer than {}, whose build image {} has had no update since {}",
                               newest->tag.text, at->name, at->ended),
        .evidence = {},
        .fix = fmt::format("build in the {} image; content that still fits the older tag may keep it", at->next),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  check_family(view, emit, PlatformTag::Family::Manylinux);
  check_family(view, emit, PlatformTag::Family::Musllinux);
}

}  // namespace

extern const Rule retired_tag{
    .code = "WC114",
    .name = "retired-tag",
    .severity = Severity::Info,
    .confidence = Confidence::Low,
    .summary = "The newest tag that is claimed names a build image without updates.",
    .why =
        "The images in which such wheels are built went out of support with the systems that they are made of: what "
        "they link in, the compiler, OpenSSL or zlib of the system, gets no fixes there any more. The tag itself stays "
        "good: older means that more systems can install the wheel.",
    .remedy =
        "Build in an image that is kept up (manylinux2014, manylinux_2_28, musllinux_1_2). Where the content still "
        "fits the older tag, `auditwheel repair` gives it that as well.",
    .false_positives =
        "The tag says what the content fits, not where it was built: Rust and Zig tool chains and static programs "
        "reach old tags from new systems. So it is a remark of low confidence, and it is not made where a newer tag is "
        "claimed beside the old one, as auditwheel does.",
    .check = check,
};

}  // namespace wheelcheck::rules
