// Finds the levels that a tag means: by name, by alias (PEP 600 "Legacy manylinux tags"), or the level just below it.
#include "report/shared/level_of_tag.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/closest.h"
#include "base/text.h"
#include "report/shared/unmet_requirement.h"

namespace wheelcheck::report {
namespace {

// The oldest-first neighbour: a tag between two levels is judged by the older one, which asks for at least as much.
std::optional<LevelIndex> level_below(const Assessment& assessment, const PlatformTag& wanted) {
  if (wanted.family != assessment.family || wanted.arch != assessment.arch || !wanted.isa.empty()) return std::nullopt;
  for (std::uint32_t i = 1; i < assessment.level_names.size(); ++i) {  // newest to oldest
    const PlatformTag level = parse_platform_tag(assessment.level_names[i]);
    if (level.family == wanted.family && level.libc <= wanted.libc) return LevelIndex{i};
  }
  return std::nullopt;
}

// What the tag is called with the machine of the policy family, where it was typed without one.
std::vector<std::string> spellings(const Assessment& assessment, std::string_view tag) {
  std::vector<std::string> out = {std::string(tag), fmt::format("{}_{}", tag, name_of(assessment.arch))};
  // PEP 738 has its own names for the machines.
  if (assessment.family == PlatformTag::Family::Android && assessment.arch == Arch::aarch64)
    out.push_back(fmt::format("{}_arm64_v8a", tag));
  return out;
}

std::optional<LevelOfTag> find_in(const WheelReport& wheel, std::size_t index, std::string_view tag) {
  const Assessment& assessment = wheel.assessments[index];
  const std::vector<std::string>& names = assessment.level_names;
  for (const std::string& spelling : spellings(assessment, tag)) {
    const PlatformTag parsed = parse_platform_tag(spelling);
    for (const std::string& name : {spelling, parsed.canonical}) {
      const auto at = std::ranges::find(names, name);
      if (at != names.end()) return LevelOfTag{index, LevelIndex{static_cast<std::uint32_t>(at - names.begin())}, true};
    }
    if (const auto below = level_below(assessment, parsed)) return LevelOfTag{index, *below, false};
  }
  return std::nullopt;
}

Error unknown_tag(const WheelReport& wheel, std::string_view tag) {
  std::vector<std::string> known;
  for (const Assessment& assessment : wheel.assessments)
    for (const std::string& name : assessment.level_names) known.push_back(escape(name));
  const std::string file = escape(wheel.facts.file);
  if (known.empty()) return {ErrorCode::Usage, fmt::format("{} has no code to measure against {}", file, escape(tag))};
  // Typed as a person remembers it: manylinux217, manylinux-2-17, with and without the machine.
  std::vector<std::string> short_names = known;
  for (const Assessment& assessment : wheel.assessments)
    for (std::uint32_t i = 0; i < assessment.level_names.size(); ++i)
      short_names.push_back(escape(level_without_machine(assessment, LevelIndex{i})));
  const std::string similar = closest(tag, short_names);
  return {ErrorCode::Usage,
          fmt::format("{} was not measured against {}{}; there is {}", file, escape(tag),
                      similar.empty() ? "" : "; a similar tag exists: " + similar, fmt::join(known, ", "))};
}

}  // namespace

Result<std::vector<LevelOfTag>> levels_of_tag(const WheelReport& wheel, std::string_view tag) {
  std::vector<LevelOfTag> out;
  for (std::size_t i = 0; i < wheel.assessments.size(); ++i)
    if (const auto found = find_in(wheel, i, tag)) out.push_back(*found);
  if (out.empty()) return std::unexpected(unknown_tag(wheel, tag));
  return out;
}

}  // namespace wheelcheck::report
