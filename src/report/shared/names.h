// Names of the things a report points at, safe to print.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/enum_names.h"
#include "model/highest_version.h"
#include "wheelcheck/report.h"

namespace wheelcheck::report {

// One wheel of a report and the wheels that were installed beside it.
struct Subject {
  const WheelReport& wheel;
  std::span<const WheelFacts> providers;
};

// What the analysis made of the file; empty where it was not analysed.
const ElfAnalysis& analysis_of(const Analysis& analysis, ElfIndex elf);

const MemberFacts& member_of(const WheelFacts& wheel, ElfIndex elf);
std::string elf_path(const WheelFacts& wheel, ElfIndex elf);
// The path in the wheel itself, or `other.whl::path`.
std::string elf_path(const Subject& subject, ElfRef elf);
const WheelFacts& wheel_of(const Subject& subject, WheelIndex index);
// The member that a finding is about, "" for the whole wheel.
std::string place_path(const WheelFacts& wheel, const Place& place);
// wheel.whl, or wheel.whl::pkg/x.so
std::string place_text(const WheelFacts& wheel, const Place& place);

// "compatible", "not compatible", "unknown", "no minimum system"
std::string_view tag_result_text(TagResult result);
std::string tag_result_word(TagResult tag_result);  // "no-promise" for "no promise"

// "Windows, macOS" for a wheel whose tags are all of other systems, which is not checked; else "".
std::string other_systems(const WheelReport& wheel);
// The word for a whole wheel, from its claims: broken before unknown before kept before "no promise".
TagResult overall(const Verdict& verdict);

// One entry for each DynamicFacts::needs: the imports that ask for it, sorted by name.
std::vector<std::vector<std::string_view>> symbols_by_need(const DynamicFacts& dynamic);

}  // namespace wheelcheck::report
