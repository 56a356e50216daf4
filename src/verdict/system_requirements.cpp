#include "verdict/system_requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

namespace wheelcheck::verdict {
namespace {

using Kind = SystemRequirement::Kind;

struct Named {
  Kind kind;
  std::string name, library = {}, symbol = {};
};
struct Name {
  Named operator()(const MachineRequirement& asks) const {
    return {Kind::Machine, asks.arch == Arch::Other ? "another machine" : std::string(name_of(asks.arch))};
  }
  Named operator()(const IsaRequirement& asks) const { return {Kind::Isa, fmt::format("x86-64-v{}", asks.level)}; }
  Named operator()(const LibraryRequirement& asks) const { return {Kind::Library, asks.library}; }
  Named operator()(const VersionRequirement& asks) const {
    return {Kind::Version, asks.version, asks.library, asks.symbols.empty() ? "" : asks.symbols.front()};
  }
  Named operator()(const SymbolRequirement& asks) const { return {Kind::Symbol, asks.symbol, asks.library}; }
  Named operator()(const InterpreterRequirement& asks) const { return {Kind::Interpreter, asks.symbol}; }
  Named operator()(const MissingVersionRequirement& asks) const {
    return {Kind::MissingVersion, asks.version, asks.library};
  }
};

// By kind, then by family, then the newest first.
struct Key {
  Kind kind;
  std::string family, name, library;
  bool operator<(const Key& other) const {
    if (kind != other.kind) return kind < other.kind;
    if (const auto order = natural_order(family, other.family); order != 0) return order < 0;
    if (const auto order = natural_order(other.name, name); order != 0) return order < 0;
    return std::tie(name, library) < std::tie(other.name, other.library);
  }
};
struct Found {
  SystemRequirement ask;
  bool promised = true;
};

// GLIBC before its users: it is what a system cannot change.
std::string family_of(const Named& named) {
  if (named.kind != Kind::Version) return "";
  const std::string family = named.name.substr(0, named.name.find('_'));
  return family == "GLIBC" ? "" : family;
}

bool is_for(Libc file, Libc system) { return file == Libc::None || file == system; }

bool is_code_for(const ElfMember& file, Arch arch) { return is_host_code(file) && runs_on(file.facts.arch, arch); }

// The first file of each other C library, where none is for this one.
void other_libraries(const WheelReport& wheel, Arch arch, Libc libc, std::map<Key, Found>& found) {
  std::map<Libc, std::pair<ElfIndex, std::size_t>> others;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfMember& file = wheel.facts.elfs[i];
    if (!is_code_for(file, arch) || file.libc == Libc::None) continue;
    if (file.libc == libc) return;
    ++others.try_emplace(file.libc, ElfIndex{i}, 0).first->second.second;
  }
  for (const auto& [other, files] : others) {
    const std::string name(name_of(other));
    found.emplace(Key{Kind::CLibrary, "", name, ""}, Found{{.kind = Kind::CLibrary,
                                                            .name = name,
                                                            .library = {},
                                                            .file = files.first,
                                                            .symbol = {},
                                                            .files = files.second}});
  }
}

bool is_unmet_by_newest(const Assessment& assessment, std::uint32_t requirement) {
  if (assessment.levels.size() < 2) return true;
  return std::ranges::binary_search(assessment.levels[1].unmet_requirements, RequirementIndex{requirement});
}

}  // namespace

SystemRequirements asks_of(const WheelReport& wheel, const Assessment* assessment, Arch arch, Libc libc) {
  std::map<Key, Found> found;
  other_libraries(wheel, arch, libc, found);
  for (std::uint32_t i = 0; assessment != nullptr && i < assessment->requirements.size(); ++i) {
    const Requirement& requirement = assessment->requirements[i];
    const ElfMember& file = wheel.facts.elfs[requirement.elf.value];
    if (!is_for(file.libc, libc)) continue;
    Named named = std::visit(Name{}, requirement.what);
    Key key{named.kind, family_of(named), named.name, named.library};
    const auto [at, is_new] = found.try_emplace(std::move(key));
    SystemRequirement& ask = at->second.ask;
    if (!is_new) {
      ++ask.files;
      continue;
    }
    ask = {.kind = named.kind,
           .name = std::move(named.name),
           .library = std::move(named.library),
           .file = requirement.elf,
           .symbol = std::move(named.symbol),
           .files = 1};
    at->second.promised = ask.kind != Kind::Library || !is_unmet_by_newest(*assessment, i);
  }
  SystemRequirements result;
  for (auto& [key, one] : found) {
    result.list.push_back(std::move(one.ask));
    result.promised.push_back(one.promised);
  }
  return result;
}

}  // namespace wheelcheck::verdict
