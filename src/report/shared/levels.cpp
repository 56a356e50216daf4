// Short texts for requirements and levels.

#include "report/shared/levels.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <variant>

#include "base/text.h"
#include "model/machines.h"
#include "report/shared/names.h"
#include "report/shared/text.h"

namespace wheelcheck::report {

namespace {

constexpr std::size_t shown_symbols = 3;
constexpr std::size_t symbols_width =
    50;  // C++ names are long; the first one is sufficient in a list of unmet requirements

struct RequirementWord {
  std::string_view operator()(const MachineRequirement&) const { return "machine"; }
  std::string_view operator()(const IsaRequirement&) const { return "isa"; }
  std::string_view operator()(const LibraryRequirement&) const { return "library"; }
  std::string_view operator()(const VersionRequirement&) const { return "version"; }
  std::string_view operator()(const SymbolRequirement&) const { return "symbol"; }
  std::string_view operator()(const InterpreterRequirement&) const { return "interpreter"; }
  std::string_view operator()(const MissingVersionRequirement&) const { return "missing-version"; }
};

struct RequirementSubject {
  std::string operator()(const MachineRequirement& required) const {
    return fmt::format("code for {}", required.arch == Arch::Other ? "another machine" : name_of(required.arch));
  }
  std::string operator()(const IsaRequirement& required) const {
    return fmt::format("x86-64-v{} instructions", required.level);
  }
  std::string operator()(const LibraryRequirement& required) const { return escape(required.library); }
  std::string operator()(const VersionRequirement& required) const { return escape(required.version); }
  std::string operator()(const SymbolRequirement& required) const {
    return fmt::format("{} of {}", escape(required.symbol), escape(required.library));
  }
  std::string operator()(const InterpreterRequirement& required) const { return escape(required.symbol); }
  std::string operator()(const MissingVersionRequirement& required) const {
    return fmt::format("{} missing in {}", escape(required.version), escape(required.library));
  }
};

// The sort order of requirements: kinds in the order of their variant, then families, then the newest version first.
struct Key {
  std::size_t kind = 0;
  std::string family, text;
  bool operator<(const Key& other) const {
    if (kind != other.kind) return kind < other.kind;
    if (family != other.family) return natural_order(family, other.family) < 0;
    return natural_order(other.text, text) < 0;
  }
};

}  // namespace

std::string_view kind_of(const Requirement& requirement) { return std::visit(RequirementWord{}, requirement.what); }

std::string subject_of(const Requirement& requirement) { return std::visit(RequirementSubject{}, requirement.what); }

std::vector<std::string> short_names(const Assessment& assessment,
                                     std::span<const RequirementIndex> unmet_requirements) {
  struct Group {
    std::set<std::string, NaturalLess> symbols;
    std::set<ElfIndex> files;
  };
  std::map<Key, Group> groups;
  for (const RequirementIndex index : unmet_requirements) {
    const Requirement& requirement = assessment.requirements[index.value];
    const auto* version = std::get_if<VersionRequirement>(&requirement.what);
    const std::string text = subject_of(requirement);
    const std::string family = version ? std::string(version_family(version->version)) : text;
    Group& group = groups[{requirement.what.index(), family, text}];
    group.files.insert(requirement.elf);
    if (version)
      for (const std::string& symbol : version->symbols) group.symbols.insert(escape(short_symbol(symbol)));
  }
  std::vector<std::string> out;
  for (const auto& [key, group] : groups) {
    std::string text = key.text;
    const std::vector<std::string> symbols(group.symbols.begin(), group.symbols.end());
    if (!symbols.empty()) text += fmt::format(" ({})", first_few(symbols, shown_symbols, symbols_width));
    if (group.files.size() > 1) text += fmt::format(" in {} files", group.files.size());
    out.push_back(std::move(text));
  }
  return out;
}

std::string_view level_without_machine(const Assessment& assessment, LevelIndex level) {
  std::string_view name = assessment.level_names[level.value];
  const std::string suffix = fmt::format("_{}", name_of(assessment.arch));
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

std::string level_range(const Assessment& assessment, LevelIndex newest, LevelIndex oldest) {
  const std::string_view first = level_without_machine(assessment, newest);
  if (newest == oldest) return escape(first);
  std::string_view last = level_without_machine(assessment, oldest);
  const std::string prefix = fmt::format("{}_", name_of(assessment.family));
  if (first.starts_with(prefix) && last.starts_with(prefix)) last.remove_prefix(prefix.size());
  return fmt::format("{} to {}", escape(first), escape(last));
}

bool is_unmet(const Assessment& assessment, LevelIndex level, RequirementIndex requirement) {
  return std::ranges::binary_search(assessment.levels[level.value].unmet_requirements, requirement);
}

std::string allowed_by(const Assessment& assessment, RequirementIndex requirement) {
  const auto levels = static_cast<std::uint32_t>(assessment.levels.size());
  std::uint32_t oldest = 0, newest = 0;
  for (std::uint32_t i = 1; i < levels; ++i) {  // 0 is `linux`, which allows nothing
    if (is_unmet(assessment, LevelIndex{i}, requirement)) continue;
    if (newest == 0) newest = i;
    oldest = i;
  }
  if (newest == 0) return fmt::format("allowed by no {} level", name_of(assessment.family));
  if (newest == 1 && oldest + 1 == levels) return fmt::format("allowed by every {} level", name_of(assessment.family));
  return fmt::format("allowed by {}", level_range(assessment, LevelIndex{newest}, LevelIndex{oldest}));
}

// Finds the levels for a tag: by name, by alias (PEP 600, "Legacy manylinux tags"), or the next older level.

namespace {

// The next older level. A tag between two levels is judged by the older one, whose requirements are at least as strict.
std::optional<LevelIndex> level_below(const Assessment& assessment, const PlatformTag& wanted) {
  if (wanted.family != assessment.family || wanted.arch != assessment.arch || !wanted.isa.empty()) return std::nullopt;
  for (std::uint32_t i = 1; i < assessment.level_names.size(); ++i) {  // from newest to oldest
    const PlatformTag level = parse_platform_tag(assessment.level_names[i]);
    if (level.family == wanted.family && level.libc <= wanted.libc) return LevelIndex{i};
  }
  return std::nullopt;
}

// The tag with the machine of the policy family, for a tag that was typed without one.
std::vector<std::string> spellings(const Assessment& assessment, std::string_view tag) {
  std::vector<std::string> out = {std::string(tag), fmt::format("{}_{}", tag, name_of(assessment.arch))};
  // PEP 738 has its own names for machines.
  if (const std::string_view arch = arch_text(assessment.family, assessment.arch); arch != name_of(assessment.arch))
    out.push_back(fmt::format("{}_{}", tag, arch));
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
  std::vector<std::string> known, ranges;
  for (const Assessment& assessment : wheel.assessments) {
    const std::vector<std::string>& names = assessment.level_names;  // linux, then from newest to oldest
    for (const std::string& name : names) known.push_back(escape(name));
    if (names.size() > 2) ranges.push_back(fmt::format("{} to {}", escape(names.back()), escape(names[1])));
    if (names.size() == 2) ranges.push_back(escape(names[1]));
  }
  const std::string file = escape(wheel.facts.file);
  if (known.empty()) return {ErrorCode::Usage, fmt::format("{} has no code to compare with {}", file, escape(tag))};
  // Includes the short forms that users type: manylinux217, manylinux-2-17, with and without the machine.
  std::vector<std::string> short_names = known;
  for (const Assessment& assessment : wheel.assessments)
    for (std::uint32_t i = 0; i < assessment.level_names.size(); ++i)
      short_names.push_back(escape(level_without_machine(assessment, LevelIndex{i})));
  const std::string similar = closest(tag, short_names);
  return {ErrorCode::Usage, fmt::format("{} was not compared with {}{}{}", file, escape(tag),
                                        similar.empty() ? "" : "; a similar tag exists: " + similar,
                                        ranges.empty() ? "" : "; there are " + join(ranges, ", "))};
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
