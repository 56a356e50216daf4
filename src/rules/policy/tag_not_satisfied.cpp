// WC101: the verdict as findings, one for each claimed tag that is not compatible with the content.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"
#include "rules/policy/tags.h"

namespace wheelcheck::rules::tag_not_satisfied {
namespace {

// The best tag that the content fits in the claim's own policy family; "" if the wheel has no file for it.
std::string_view best_of(const WheelView& view, const Claim& claim) {
  if (!applies_to(view, claim)) return {};
  const Assessment& assessment = view.assessments[*claim.assessment];
  return assessment.level_names[assessment.best.value];
}

// In the order of supported_tags().
std::string tags_of_name(const WheelView& view) {
  std::set<std::string, NaturalLess> tags;
  for (const PlatformTag& tag : view.wheel.name.platforms) tags.insert(tag.text);
  return fmt::format("{}", fmt::join(tags, "."));
}

std::string fix_of(const WheelView& view, const Claim& claim) {
  const bool stands = applies_to(view, claim);
  const std::string platforms = supported_tags(view);
  const bool replaceable = !stands || view.assessments[*claim.assessment].best.value > 0;
  const std::string_view first = stands ? "fix the unmet requirements" : "build for the machine that the tag names";
  if (!claim.in_name && platforms == tags_of_name(view))
    return fmt::format("write the tags of the file name into WHEEL: wheelcheck fix {}", shell_word(view.wheel.file));
  if (!platforms.empty() && replaceable)
    return fmt::format("{}, or claim a compatible tag: {}", first, wheel_tags_command(view, platforms));
  return stands ? fmt::format("the unmet requirements of each file: wheelcheck why {}", shell_word(view.wheel.file))
                : std::string(first);
}

std::vector<Evidence> evidence_of(const WheelView& view, const Claim& claim) {
  std::vector<Evidence> evidence;
  if (!claim.reason.empty() && claim.unmet_requirements.empty()) evidence.push_back({"reason", claim.reason});
  if (!claim.assessment || claim.unmet_requirements.empty()) return evidence;
  const Assessment& assessment = view.assessments[*claim.assessment];
  evidence.push_back(
      {"unmet requirements", fmt::format("{} of {}", claim.unmet_requirements.size(), assessment.requirements.size())});
  constexpr std::size_t shown = 5;
  for (std::size_t i = 0; i < claim.unmet_requirements.size() && i < shown; ++i)
    evidence.push_back(
        {"unmet requirement", describe(view, assessment.requirements[claim.unmet_requirements[i].value])});
  return evidence;
}

// A level and its legacy alias give one finding.
bool is_same_promise(const Claim& one, const Claim& other) {
  return one.tag_result == other.tag_result && one.in_name == other.in_name && one.tag.canonical == other.tag.canonical;
}

std::string spellings_of(const WheelView& view, const Claim& claim) {
  std::vector<std::string> texts;
  for (const Claim& other : view.claims)
    if (is_same_promise(claim, other)) texts.push_back(other.tag.text);
  return join(texts, " and ");
}

void report_broken(const WheelView& view, const Emit& emit, const Claim& claim) {
  const std::string_view best = best_of(view, claim);
  const std::string_view where = claim.in_name ? "" : " in WHEEL";
  const std::string but =
      best.empty() ? fmt::format("but {}", claim.reason) : fmt::format("but the lowest compatible tag is {}", best);
  emit({.place = WholeWheel{},
        .message = fmt::format("claims {}{}, {}", spellings_of(view, claim), where, but),
        .evidence = evidence_of(view, claim),
        .fix = fix_of(view, claim),
        .severity = {}});
}

void check(const WheelView& view, const Emit& emit) {
  for (std::size_t i = 0; i < view.claims.size(); ++i) {
    const Claim& claim = view.claims[i];
    const auto before = view.claims.first(i);
    if (std::ranges::any_of(before, [&](const Claim& other) { return is_same_promise(claim, other); })) continue;
    if (claim.tag_result == TagResult::Incompatible) report_broken(view, emit, claim);
    if (claim.tag_result != TagResult::Unknown) continue;
    if (!installer_refusal(claim.tag).empty()) continue;  // WC117
    if (!other_system(claim.tag).empty() && std::ranges::none_of(view.wheel.elfs, is_host_code)) continue;
    emit({.place = WholeWheel{},
          .message = fmt::format("claims {}, which cannot be checked: {}", claim.tag.text, claim.reason),
          .evidence = evidence_of(view, claim),
          .fix = "if you have a policy for the tag, pass it with --policy FILE",
          .severity = Severity::Note});
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC101",
    .name = "tag-not-satisfied",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::tag_not_satisfied
