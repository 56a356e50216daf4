// WC115: the content is not compatible with a tag that the project requires, whether or not the wheel claims it.
#include <fmt/format.h>

#include <algorithm>

#include "rules/common.h"

namespace wheelcheck::rules::required_tag_unmet {
namespace {

constexpr std::size_t shown_unmet = 5;

std::string names_of(const Required& required) {
  std::vector<std::string> names;
  for (const Claim& claim : required.claims) names.push_back(claim.tag.text);
  return fmt::format("{}", fmt::join(names, ", "));
}

// The required tag with the fewest unmet requirements.
const Claim& nearest(const Required& required) {
  return *std::ranges::min_element(required.claims, {}, [](const Claim& claim) {
    return claim.unmet_requirements.empty() ? std::size_t{0} - 1 : claim.unmet_requirements.size();
  });
}

std::vector<Evidence> evidence_of(const WheelView& view, const Claim& claim) {
  if (!claim.assessment || claim.unmet_requirements.empty()) return {{"reason", claim.reason}};
  const Assessment& assessment = view.required->assessments[*claim.assessment];
  std::vector<Evidence> evidence = {
      {"unmet requirements", fmt::format("{} of {}", claim.unmet_requirements.size(), assessment.requirements.size())}};
  for (std::size_t i = 0; i < claim.unmet_requirements.size() && i < shown_unmet; ++i)
    evidence.push_back(
        {"unmet requirement", describe(view, assessment.requirements[claim.unmet_requirements[i].value])});
  return evidence;
}

void check(const WheelView& view, const Emit& emit) {
  if (view.required == nullptr || view.required->claims.empty()) return;
  const Required& required = *view.required;
  if (std::ranges::find(required.claims, TagResult::Compatible, &Claim::tag_result) != required.claims.end()) return;
  const Claim& claim = nearest(required);
  const bool one = required.claims.size() == 1;
  emit({.place = WholeWheel{},
        .message = fmt::format("the content is not compatible with {}{}",
                               one ? "the required " : "any required tag: ", names_of(required)),
        .evidence = evidence_of(view, claim),
        .fix = fmt::format("build {}; all unmet requirements: wheelcheck why {} {}", image_for({&claim}),
                           shell_word(view.wheel.file), shell_word(claim.tag.text)),
        .severity = {}});
}

}  // namespace

extern const Rule rule{
    .code = "WC115",
    .name = "required-tag-unmet",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::required_tag_unmet
