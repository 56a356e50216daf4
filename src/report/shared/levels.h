// Short texts for requirements and levels, and the lookup of a level by tag. Lists, scores and `why` use them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/policy.h"
#include "wheelcheck/report.h"
#include "wheelcheck/result.h"

namespace wheelcheck::report {

// "version", "library", "symbol", "machine", "isa", "interpreter" or "missing-version".
std::string_view kind_of(const Requirement& requirement);
// The requirement without its symbols: GLIBC_2.28, libexpat.so.1, x86-64-v3 instructions. Escaped.
std::string subject_of(const Requirement& requirement);
// GLIBC_2.28 (fcntl64), libexpat.so.1: each requirement once, regardless of how many files have it. Sorted worst first:
// what no build flag can fix comes before versions, and newer versions before older ones.
std::vector<std::string> short_names(const Assessment& assessment,
                                     std::span<const RequirementIndex> unmet_requirements);
// The level's name without the machine: manylinux_2_17 for manylinux_2_17_x86_64.
std::string_view level_without_machine(const Assessment& assessment, LevelIndex level);
// The levels that meet a requirement, as text.
std::string allowed_by(const Assessment& assessment, RequirementIndex requirement);
// "manylinux_2_41 to 2_34", or one name where both are the same.
std::string level_range(const Assessment& assessment, LevelIndex newest, LevelIndex oldest);
bool is_unmet(const Assessment& assessment, LevelIndex level, RequirementIndex requirement);

// Finds the levels for a tag that a user types.

struct LevelOfTag {
  std::size_t assessment = 0;
  LevelIndex level;
  bool exact = true;  // false: no policy has that level, and the nearest older one is used
};
// Accepts manylinux_2_17_x86_64, manylinux_2_17, manylinux2014 or a policy's own name. Without a machine, the result
// has one element for each machine of the wheel. Error Usage if the wheel was not assessed for such a tag; the message
// lists the available ones.
Result<std::vector<LevelOfTag>> levels_of_tag(const WheelReport& wheel, std::string_view tag);

}  // namespace wheelcheck::report
