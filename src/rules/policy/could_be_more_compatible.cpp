// WC113: the content fits an older level than the wheel claims.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"
#include "rules/policy/tags.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::could_be_more_compatible {
namespace {

// The oldest manylinux claim of this assessment; null if there is none.
const Claim* oldest_claim(const WheelView& view, std::uint32_t assessment) {
  const Claim* oldest = nullptr;
  for (const Claim& claim : view.claims) {
    if (claim.assessment != assessment || claim.tag.family != PlatformTag::Family::Manylinux) continue;
    if (!oldest || claim.tag.libc < oldest->tag.libc) oldest = &claim;
  }
  return oldest;
}

// The tags with `best` instead of the claims of that assessment. Tags of other families and machines are kept. If the
// build image of `best` is retired (WC114), the other claims are kept too, because they show that the wheel was built
// in a newer image.
std::string platforms_with(const WheelView& view, std::uint32_t assessment, const PlatformTag& best) {
  std::set<std::string, NaturalLess> tags{best.text};
  for (const Claim& claim : view.claims)
    if (claim.in_name && (claim.assessment != assessment || retired_image(best))) tags.insert(claim.tag.text);
  return fmt::format("{}", fmt::join(tags, "."));
}

void check(const WheelView& view, const Emit& emit) {
  const auto holds = [](const Claim& claim) {
    return claim.tag_result == TagResult::Compatible || claim.tag_result == TagResult::NoMinimum;
  };
  if (!std::ranges::all_of(view.claims, holds)) return;
  for (std::uint32_t i = 0; i < view.assessments.size(); ++i) {
    const Assessment& assessment = view.assessments[i];
    const Claim* oldest = oldest_claim(view, i);
    if (!oldest || assessment.files == 0 || assessment.best.value == 0) continue;
    const PlatformTag best = parse_platform_tag(assessment.level_names[assessment.best.value]);
    if (best.libc >= oldest->tag.libc) continue;
    emit({.place = WholeWheel{},
          .message = fmt::format("content fits {}, older than the claimed {}", best.text, oldest->tag.text),
          .evidence = {{"claimed", oldest->tag.text}, {"content fits", best.text}},
          .fix = wheel_tags_command(view, platforms_with(view, i, best)),
          .severity = {}});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC113",
    .name = "could-be-more-compatible",
    .severity = Severity::Info,
    .check = check,
};

}  // namespace wheelcheck::rules::could_be_more_compatible
