// A requirement in few words: what a file asks of the platform, as lists, levels and `why` name it.
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
// What is asked, without the symbols: GLIBC_2.28, libexpat.so.1, x86-64-v3 instructions. Escaped.
std::string subject_of(const Requirement& requirement);
// GLIBC_2.28 (fcntl64), libexpat.so.1: each thing once however many files ask for it, worst first: what no build flag
// mends before versions, versions newest first.
std::vector<std::string> short_names(const Assessment& assessment,
                                     std::span<const RequirementIndex> unmet_requirements);
// manylinux_2_17 for manylinux_2_17_x86_64: the level without the machine of its policy family.
std::string_view level_without_machine(const Assessment& assessment, LevelIndex level);
// The levels that meet a requirement, in words: "promised by manylinux_2_41 to 2_12", "promised by no manylinux level".
std::string allowed_by(const Assessment& assessment, RequirementIndex requirement);
// "manylinux_2_41 to 2_34", or one name where both are the same.
std::string level_range(const Assessment& assessment, LevelIndex newest, LevelIndex oldest);
bool is_unmet(const Assessment& assessment, LevelIndex level, RequirementIndex requirement);

// From a tag as a person types it to the levels that answer for it.

struct LevelOfTag {
  std::size_t assessment = 0;
  LevelIndex level;
  bool exact = true;  // false: no policy has that level, the nearest older one judges it
};
// manylinux_2_17_x86_64, manylinux_2_17, manylinux2014 or a policy's own name; without a machine, one answer for each
// machine of the wheel. Usage where the wheel was not measured against such a tag; the message lists what there is.
Result<std::vector<LevelOfTag>> levels_of_tag(const WheelReport& wheel, std::string_view tag);

}  // namespace wheelcheck::report
