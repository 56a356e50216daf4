// The words for requirements and levels.
#include "report/shared/unmet_requirement.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <variant>

#include "base/text.h"
#include "report/shared/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t shown_symbols = 3;
constexpr std::size_t symbols_width =
    50;  // C++ names are long; the first one says enough in a list of unmet requirements

struct Kind {
  std::string_view operator()(const MachineRequirement&) const { return "machine"; }
  std::string_view operator()(const IsaRequirement&) const { return "isa"; }
  std::string_view operator()(const LibraryRequirement&) const { return "library"; }
  std::string_view operator()(const VersionRequirement&) const { return "version"; }
  std::string_view operator()(const SymbolRequirement&) const { return "symbol"; }
  std::string_view operator()(const InterpreterRequirement&) const { return "interpreter"; }
  std::string_view operator()(const MissingVersionRequirement&) const { return "missing-version"; }
};

struct RequirementSubject {
  std::string operator()(const MachineRequirement& asks) const {
    return fmt::format("code for {}", asks.arch == Arch::Other ? "another machine" : name_of(asks.arch));
  }
  std::string operator()(const IsaRequirement& asks) const {
    return fmt::format("x86-64-v{} instructions", asks.level);
  }
  std::string operator()(const LibraryRequirement& asks) const { return escape(asks.library); }
  std::string operator()(const VersionRequirement& asks) const { return escape(asks.version); }
  std::string operator()(const SymbolRequirement& asks) const {
    return fmt::format("{} of {}", escape(asks.symbol), escape(asks.library));
  }
  std::string operator()(const InterpreterRequirement& asks) const { return escape(asks.symbol); }
  std::string operator()(const MissingVersionRequirement& asks) const {
    return fmt::format("{} missing in {}", escape(asks.version), escape(asks.library));
  }
};

// Sorts what is asked: kinds in the order of their variant, then families, then the newest version first.
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

std::string_view kind_of(const Requirement& requirement) { return std::visit(Kind{}, requirement.what); }

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
      for (const std::string& symbol : version->symbols) group.symbols.insert(escape(symbol));
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
  for (std::uint32_t i = 1; i < levels; ++i) {  // 0 is `linux`, which promises nothing
    if (is_unmet(assessment, LevelIndex{i}, requirement)) continue;
    if (newest == 0) newest = i;
    oldest = i;
  }
  if (newest == 0) return fmt::format("allowed by no {} level", name_of(assessment.family));
  if (newest == 1 && oldest + 1 == levels) return fmt::format("allowed by every {} level", name_of(assessment.family));
  return fmt::format("allowed by {}", level_range(assessment, LevelIndex{newest}, LevelIndex{oldest}));
}

}  // namespace wheelcheck::report
