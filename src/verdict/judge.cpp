// Whether the tags of a wheel are true. PEP 600 makes a tag a promise about the content: the wheel runs on every system
// with that C library or a newer one. Each tag is therefore judged by the level of its own policy family and machine. A
// level is met as a whole or not at all; the requirements that it does not meet are the reasons. A tag without a level
// of its own (manylinux_2_30) is judged by the next older level: what that allows, every newer system allows too. What
// the older level lacks may exist in the newer one, and then the result is "unknown", not "incompatible".
#include "verdict/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/text.h"

namespace wheelcheck::verdict {
namespace {

using Family = PlatformTag::Family;

// Collects the tags of the file name, then those that only WHEEL contains. Tag lines may be compressed sets.
std::vector<Claim> collect_claims(const WheelFacts& wheel) {
  std::vector<Claim> claims;
  const auto claim_of = [&](const PlatformTag& tag) -> Claim& {
    const auto same = [&](const Claim& claim) { return claim.tag.text == tag.text; };
    if (const auto found = std::ranges::find_if(claims, same); found != claims.end()) return *found;
    return claims.emplace_back(Claim{.tag = tag});
  };
  for (const PlatformTag& tag : wheel.name.platforms) claim_of(tag).in_name = true;
  if (!wheel.wheel) return claims;
  for (const std::string& line : wheel.wheel->tags) {
    const auto parts = split(line, '-');
    if (parts.size() != 3) continue;  // a rule reports it
    for (const std::string_view platform : split(parts[2], '.'))
      claim_of(parse_platform_tag(platform)).in_wheel_file = true;
  }
  return claims;
}

Version level_of(const Assessment& assessment, std::size_t level) {
  return parse_platform_tag(assessment.level_names[level]).libc;
}

// A user's own policy may have a name that does not denote a level.
bool is_level(const Assessment& assessment, std::size_t level) {
  return parse_platform_tag(assessment.level_names[level]).family == assessment.family;
}

// The level that judges a claimed level: the same one, else the newest older one. By PEP 600, a wheel that is
// compatible with an older level is compatible with every newer one. Nothing if the claim is older than all known
// levels.
std::optional<LevelIndex> level_for(const Assessment& assessment, const PlatformTag& tag) {
  for (std::size_t i = 1; i < assessment.level_names.size(); ++i)
    if (assessment.level_names[i] == tag.canonical) return LevelIndex{static_cast<std::uint32_t>(i)};
  for (std::size_t i = 1; i < assessment.level_names.size(); ++i)
    if (is_level(assessment, i) && level_of(assessment, i) < tag.libc) return LevelIndex{static_cast<std::uint32_t>(i)};
  return std::nullopt;
}

std::string count_reason(std::size_t unmet_requirements) {
  return fmt::format("{} unmet requirement{}", unmet_requirements, unmet_requirements == 1 ? "" : "s");
}

void judge_level(const Assessment& assessment, bool has_host_files, Claim& claim) {
  if (assessment.files == 0 && has_host_files) {
    claim.tag_result = TagResult::Incompatible;
    claim.reason = fmt::format("no ELF file is for {}", name_of(assessment.arch));
    return;
  }
  claim.level = level_for(assessment, claim.tag);
  if (!claim.level) {
    claim.reason = fmt::format("no policy is known for {} below {}", name_of(assessment.arch),
                               assessment.level_names.size() > 1 ? assessment.level_names.back() : "any level");
    return;
  }
  claim.unmet_requirements = assessment.levels[claim.level->value].unmet_requirements;
  const bool known = assessment.level_names[claim.level->value] == claim.tag.canonical;
  const auto may_be_newer = [&](RequirementIndex index) {
    return std::holds_alternative<VersionRequirement>(assessment.requirements[index.value].what);
  };
  if (claim.unmet_requirements.empty()) {
    claim.tag_result = TagResult::Compatible;
  } else if (!known && std::ranges::all_of(claim.unmet_requirements, may_be_newer)) {
    claim.reason = fmt::format("no policy is known above {}", assessment.level_names[claim.level->value]);
  } else {
    claim.tag_result = TagResult::Incompatible;
    claim.reason = count_reason(claim.unmet_requirements.size());
  }
}

void judge_linux(const Assessment& assessment, bool has_host_files, Claim& claim) {
  claim.level = LevelIndex{0};
  claim.unmet_requirements = assessment.levels[0].unmet_requirements;
  if (assessment.files == 0 && has_host_files) {
    claim.tag_result = TagResult::Incompatible;
    claim.reason = fmt::format("no ELF file is for {}", name_of(assessment.arch));
  } else if (!claim.unmet_requirements.empty()) {
    claim.tag_result = TagResult::Incompatible;
    claim.reason = count_reason(claim.unmet_requirements.size());
  } else {
    claim.tag_result = TagResult::NoMinimum;
  }
}

void judge_claim(std::span<const Assessment> assessments, bool has_host_files, Claim& claim) {
  const Family family = claim.tag.family;
  if (family == Family::Any) {
    claim.tag_result = has_host_files ? TagResult::NoMinimum : TagResult::Compatible;
    if (has_host_files) claim.reason = "the wheel contains machine code";
    return;
  }
  const auto fits = [&](const Assessment& assessment) {
    return assessment.arch == claim.tag.arch && (family == Family::Linux || assessment.family == family);
  };
  const auto found = std::ranges::find_if(assessments, fits);
  if (found != assessments.end()) {
    claim.assessment = static_cast<std::uint32_t>(found - assessments.begin());
    family == Family::Linux ? judge_linux(*found, has_host_files, claim) : judge_level(*found, has_host_files, claim);
  } else if (family == Family::Linux && claim.tag.arch != Arch::Other) {
    claim.tag_result = has_host_files ? TagResult::Incompatible : TagResult::NoMinimum;
    if (has_host_files) claim.reason = fmt::format("no ELF file is for {}", name_of(claim.tag.arch));
  } else {
    const std::string_view system = other_system(claim.tag);
    claim.reason = system.empty() ? "no policy is known for it" : fmt::format("it is a tag of {}", system);
  }
}

// False if all tags are for other systems.
bool is_for_linux(const std::vector<Claim>& claims) {
  return claims.empty() ||
         std::ranges::any_of(claims, [](const Claim& claim) { return other_system(claim.tag).empty(); });
}

}  // namespace

std::vector<Claim> judge_tags(std::span<const PlatformTag> tags, const WheelFacts& wheel,
                              std::span<const Assessment> assessments) {
  const bool has_host_files = std::ranges::any_of(wheel.elfs, is_host_code);
  std::vector<Claim> claims;
  for (const PlatformTag& tag : tags) judge_claim(assessments, has_host_files, claims.emplace_back(Claim{.tag = tag}));
  return claims;
}

Verdict judge(const WheelFacts& wheel, std::span<const Assessment> assessments) {
  Verdict verdict;
  const bool has_host_files = std::ranges::any_of(wheel.elfs, is_host_code);
  verdict.pure = wheel.elfs.empty();
  verdict.claims = collect_claims(wheel);
  for (Claim& claim : verdict.claims) judge_claim(assessments, has_host_files, claim);
  for (const Assessment& assessment : assessments)
    if (assessment.files > 0 || !has_host_files)
      verdict.best_tags.push_back(assessment.level_names[assessment.best.value]);
  const bool for_linux = is_for_linux(verdict.claims);
  if (!has_host_files) verdict.best_tags.assign(for_linux ? 1 : 0, "any");
  if (!has_host_files && !for_linux) {
    verdict.pure = false;
    return verdict;
  }
  if (verdict.best_tags.empty()) verdict.best_tags.emplace_back("linux");
  verdict.best_tag = verdict.best_tags.front();
  return verdict;
}

}  // namespace wheelcheck::verdict
