// The verdict: for each platform tag that a wheel claims, whether the content is compatible with it. A tag claims that
// the wheel runs on every system that the tag names; the verdict compares this claim with the assessment of the wheel
// (policy.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/platform.h"
#include "wheelcheck/policy.h"

namespace wheelcheck {

enum class TagResult {
  Compatible,
  Incompatible,
  NoMinimum,  // linux_*: the tag requires only the machine, and the machine is correct
  Unknown,    // no policy is known for the tag
};
std::string_view name_of(TagResult tag_result);

// One claimed tag and its result.
struct Claim {
  PlatformTag tag;
  bool in_name = false, in_wheel_file = false;  // where the tag is claimed
  TagResult tag_result = TagResult::Unknown;
  std::optional<std::uint32_t> assessment;  // index into the wheel's assessments
  // The level that the tag is judged by. A tag between two levels is judged by the lower one.
  std::optional<LevelIndex> level;
  std::vector<RequirementIndex> unmet_requirements;  // indices into the requirements of the assessment
  std::string reason;                                // one clause for Incompatible and Unknown, otherwise empty
};
// The results for tags that the user requires, whatever the wheel claims.
struct Required {
  std::vector<Claim> claims;            // one per required tag, in order, for the machine of the content
  std::vector<Assessment> assessments;  // the assessments that their indices refer to
};
// The verdict for the wheel.
struct Verdict {
  std::vector<Claim> claims;  // in the order of the file name, then those that are only in WHEEL
  bool pure = false;          // no ELF file for a host machine
  // The lowest tag that the content is compatible with: manylinux_2_17_x86_64, linux_x86_64, any. "" for a wheel of
  // another system, which is not checked.
  std::string best_tag;
  std::vector<std::string> best_tags;  // the lowest tag of each assessment, best_tag first

  // The first of incompatible, unknown and compatible that a claim has, else no minimum.
  TagResult overall() const {
    for (const TagResult result : {TagResult::Incompatible, TagResult::Unknown, TagResult::Compatible})
      for (const Claim& claim : claims)
        if (claim.tag_result == result) return result;
    return TagResult::NoMinimum;
  }
};

}  // namespace wheelcheck
