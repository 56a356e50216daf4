// Kept or broken: the answer for each platform tag that a wheel claims.
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
  NoMinimum,  // linux_*: the tag promises nothing but the machine, and the machine fits
  Unknown,    // no policy is known for the tag, so nothing can be said
};
std::string_view name_of(TagResult tag_result);  // "kept"

struct Claim {
  PlatformTag tag;
  bool in_name = false, in_wheel_file = false;  // where it is claimed
  TagResult tag_result = TagResult::Unknown;
  std::optional<std::uint32_t> assessment;  // into the wheel's assessments
  std::optional<LevelIndex> level;  // the level that judged it; a tag between two levels is judged by the one below
  std::vector<RequirementIndex> unmet_requirements;  // what breaks it
  std::string reason;                                // one clause for Broken and Unknown, else empty
};
// Of tags that the user requires, whatever the wheel claims.
struct Required {
  std::vector<Claim> claims;            // one for each required tag, in order, for the machine of the content
  std::vector<Assessment> assessments;  // what their indices point into
};
struct Verdict {
  std::vector<Claim> claims;  // in the order of the file name, then those only in WHEEL
  bool pure = false;          // no ELF file of a host machine
  std::string best_tag;  // the lowest tag that the content is compatible with: manylinux_2_17_x86_64, linux_x86_64,
                         // any; "" for a wheel of another system, which is not checked
  std::vector<std::string> best_tags;  // the same for each assessment, best_tag first
};

}  // namespace wheelcheck
