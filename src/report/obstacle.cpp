// The words for requirements and rungs.
#include "report/obstacle.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <variant>

#include "base/text.h"
#include "report/text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t shown_symbols = 3;
constexpr std::size_t symbols_width = 50;  // C++ names are long; the first one says enough in a list of obstacles

struct Kind {
  std::string_view operator()(const AsksMachine&) const { return "machine"; }
  std::string_view operator()(const AsksIsa&) const { return "isa"; }
  std::string_view operator()(const AsksLibrary&) const { return "library"; }
  std::string_view operator()(const AsksVersion&) const { return "version"; }
  std::string_view operator()(const AsksSymbol&) const { return "symbol"; }
  std::string_view operator()(const AsksInterpreter&) const { return "interpreter"; }
  std::string_view operator()(const AsksMissingVersion&) const { return "missing-version"; }
};

struct Subject {
  std::string operator()(const AsksMachine& asks) const {
    return fmt::format("code for {}", asks.arch == Arch::Other ? "another machine" : name_of(asks.arch));
  }
  std::string operator()(const AsksIsa& asks) const { return fmt::format("x86-64-v{} instructions", asks.level); }
  std::string operator()(const AsksLibrary& asks) const { return escape(asks.library); }
  std::string operator()(const AsksVersion& asks) const { return escape(asks.version); }
  std::string operator()(const AsksSymbol& asks) const {
    return fmt::format("{} of {}", escape(asks.symbol), escape(asks.library));
  }
  std::string operator()(const AsksInterpreter& asks) const { return escape(asks.symbol); }
  std::string operator()(const AsksMissingVersion& asks) const {
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

std::string subject_of(const Requirement& requirement) { return std::visit(Subject{}, requirement.what); }

std::vector<std::string> short_names(const Assessment& assessment, std::span<const RequirementIndex> obstacles) {
  struct Group {
    std::set<std::string, NaturalLess> symbols;
    std::set<ElfIndex> files;
  };
  std::map<Key, Group> groups;
  for (const RequirementIndex index : obstacles) {
    const Requirement& requirement = assessment.requirements[index.value];
    const auto* version = std::get_if<AsksVersion>(&requirement.what);
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

std::string_view rung_level(const Assessment& assessment, RungIndex rung) {
  std::string_view name = assessment.rung_names[rung.value];
  const std::string suffix = fmt::format("_{}", name_of(assessment.arch));
  if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

std::string rung_range(const Assessment& assessment, RungIndex newest, RungIndex oldest) {
  const std::string_view first = rung_level(assessment, newest);
  if (newest == oldest) return escape(first);
  std::string_view last = rung_level(assessment, oldest);
  const std::string prefix = fmt::format("{}_", name_of(assessment.family));
  if (first.starts_with(prefix) && last.starts_with(prefix)) last.remove_prefix(prefix.size());
  return fmt::format("{} to {}", escape(first), escape(last));
}

bool is_obstacle(const Assessment& assessment, RungIndex rung, RequirementIndex requirement) {
  return std::ranges::binary_search(assessment.rungs[rung.value].obstacles, requirement);
}

std::string promised_by(const Assessment& assessment, RequirementIndex requirement) {
  const auto rungs = static_cast<std::uint32_t>(assessment.rungs.size());
  std::uint32_t oldest = 0, newest = 0;
  for (std::uint32_t i = 1; i < rungs; ++i) {  // 0 is `linux`, which promises nothing
    if (is_obstacle(assessment, RungIndex{i}, requirement)) continue;
    if (newest == 0) newest = i;
    oldest = i;
  }
  if (newest == 0) return fmt::format("promised by no {} level", name_of(assessment.family));
  if (newest == 1 && oldest + 1 == rungs) return fmt::format("promised by every {} level", name_of(assessment.family));
  return fmt::format("promised by {}", rung_range(assessment, RungIndex{newest}, RungIndex{oldest}));
}

}  // namespace wheelcheck::report
