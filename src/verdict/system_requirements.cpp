// The requirements of a wheel on a system, the selection of systems, and the tags that pip accepts on them.
#include "verdict/system_requirements.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <variant>

#include "base/text.h"
#include "verdict/release_tables.h"
#include "wheelcheck/rule.h"
#include "wheelcheck/system_compatibility.h"
#include "wheelcheck/systems.h"

namespace wheelcheck::verdict {

namespace {

using Kind = SystemRequirement::Kind;

struct Named {
  Kind kind;
  std::string name, library = {}, symbol = {};
};
struct Name {
  Named operator()(const MachineRequirement& required) const {
    return {Kind::Machine, required.arch == Arch::Other ? "another machine" : std::string(name_of(required.arch))};
  }
  Named operator()(const IsaRequirement& required) const {
    return {Kind::Isa, fmt::format("x86-64-v{}", required.level)};
  }
  Named operator()(const LibraryRequirement& required) const { return {Kind::Library, required.library}; }
  Named operator()(const VersionRequirement& required) const {
    return {Kind::Version, required.version, required.library,
            required.symbols.empty() ? "" : required.symbols.front()};
  }
  Named operator()(const SymbolRequirement& required) const {
    return {Kind::Symbol, required.symbol, required.library};
  }
  Named operator()(const InterpreterRequirement& required) const { return {Kind::Interpreter, required.symbol}; }
  Named operator()(const MissingVersionRequirement& required) const {
    return {Kind::MissingVersion, required.version, required.library};
  }
};

// The sort order: by kind, then by family, then newest first.
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
struct FoundRequirement {
  SystemRequirement system_requirement;
  bool promised = true;
};

// GLIBC comes before other families, because a system cannot replace its glibc.
std::string family_of(const Named& named) {
  if (named.kind != Kind::Version) return "";
  const std::string family = named.name.substr(0, named.name.find('_'));
  return family == "GLIBC" ? "" : family;
}

bool is_for(Libc file, Libc system) { return file == Libc::None || file == system; }

bool is_code_for(const ElfMember& file, Arch arch) { return is_host_code(file) && runs_on(file.facts.arch, arch); }

// Adds the first file for each other C library if there is none for this one.
void other_libraries(const WheelReport& wheel, Arch arch, Libc libc, std::map<Key, FoundRequirement>& found) {
  std::map<Libc, std::pair<ElfIndex, std::size_t>> others;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    const ElfMember& file = wheel.facts.elfs[i];
    if (!is_code_for(file, arch) || file.libc == Libc::None) continue;
    if (file.libc == libc) return;
    ++others.try_emplace(file.libc, ElfIndex{i}, 0).first->second.second;
  }
  for (const auto& [other, files] : others) {
    const std::string name(name_of(other));
    found.emplace(Key{Kind::CLibrary, "", name, ""}, FoundRequirement{{.kind = Kind::CLibrary,
                                                                       .name = name,
                                                                       .library = {},
                                                                       .member = path_of(wheel.facts, files.first),
                                                                       .symbol = {},
                                                                       .files = files.second}});
  }
}

// Whether the file binds the symbol by a version node.
bool is_versioned(const ElfMember& file, std::string_view symbol) {
  if (!file.facts.dynamic) return false;
  const auto& imports = file.facts.dynamic->imports;
  const auto found = std::ranges::find_if(imports, [&](const Import& import) { return import.name == symbol; });
  return found != imports.end() && found->need.has_value();
}

// The file of the wheel with that name or soname, if no search path of `file` leads to it.
std::string out_of_reach(const WheelReport& wheel, ElfIndex file, std::string_view library) {
  if (file.value >= wheel.resolution.needed.size()) return "";
  const std::vector<NeededFound>& needed = wheel.resolution.needed[file.value];
  const auto found = std::ranges::find(needed, library, &NeededFound::name);
  if (found == needed.end() || !found->unreached || found->unreached->wheel.value != 0) return "";
  return path_of(wheel.facts, found->unreached->elf);
}

bool is_unmet_by_newest(const Assessment& assessment, std::uint32_t requirement) {
  if (assessment.levels.size() < 2) return true;
  return std::ranges::binary_search(assessment.levels[1].unmet_requirements, RequirementIndex{requirement});
}

// The releases that the functions need, and 1.2.4 for packed relocations (WC516). A file with a function that only
// glibc has was linked for glibc (regopy 1.4.0).
void musl_releases(const WheelFacts& wheel, Arch arch, std::map<Key, FoundRequirement>& found) {
  const MuslReleases releases(wheel);
  const auto add = [&](const Key& key, ElfIndex file, std::string_view symbol) {
    const auto [at, is_new] = found.try_emplace(key);
    SystemRequirement& one = at->second.system_requirement;
    if (is_new)
      one = {.kind = key.kind,
             .name = key.name,
             .library = {},
             .member = path_of(wheel, file),
             .symbol = std::string(symbol),
             .files = 1};
    else
      ++one.files;
  };
  for (std::uint32_t i = 0; i < wheel.elfs.size(); ++i) {
    const ElfMember& file = wheel.elfs[i];
    if (!is_code_for(file, arch) || file.libc != Libc::Musl || !file.facts.dynamic) continue;
    const DynamicFacts& dynamic = *file.facts.dynamic;
    if (const std::string_view function = releases.of_glibc(dynamic); !function.empty())
      add(Key{Kind::CLibrary, "", "glibc", ""}, ElfIndex{i}, function);
    auto [release, symbol] = releases.by(dynamic);
    if (dynamic.flags.relr && natural_order(release, "1.2.4") <= 0) {
      release = "1.2.4";
      symbol = "DT_RELR";
    }
    if (release.empty()) continue;
    add(Key{Kind::Version, "", fmt::format("musl {}", release), ""}, ElfIndex{i}, symbol);
  }
}

// What stops the import, by rule and by the systems on which it does, with the first file.
void errors_of_check(const WheelReport& wheel, Arch arch, Libc libc, std::map<Key, FoundRequirement>& found) {
  for (const Finding& finding : wheel.findings) {
    if (finding.severity != Severity::Error || !finding.rule->stops_import) continue;
    std::string member;
    if (const auto* const at = std::get_if<AtElf>(&finding.place)) {
      const ElfMember& file = wheel.facts.elfs[at->elf.value];
      const bool is_other = is_host_code(file) && (!runs_on(file.facts.arch, arch) || !is_for(file.libc, libc));
      if (is_other && std::string_view(finding.rule->code) != "WC109") continue;
      member = path_of(wheel.facts, at->elf);
    } else if (const auto* const other = std::get_if<AtMember>(&finding.place)) {
      member = wheel.facts.members[other->member.value].path.text();
    }
    const std::string name = fmt::format("{} {}", finding.rule->code, finding.rule->name);
    const SystemCondition on = finding.on.value_or(SystemCondition{});
    const auto [at, is_new] = found.try_emplace(
        Key{Kind::Finding, "", name, fmt::format("{} {} {}", on.before, on.from, on.symbol.empty() ? "" : on.library)});
    SystemRequirement& one = at->second.system_requirement;
    if (is_new)
      one = {.kind = Kind::Finding,
             .name = name,
             .library = on.library,
             .member = member,
             .symbol = on.symbol,
             .files = 1,
             .on = finding.on};
    else if (one.member != member)
      ++one.files;
  }
}

}  // namespace

SystemRequirements requirements_of_system(const WheelReport& wheel, const Assessment* assessment, Arch arch,
                                          Libc libc) {
  std::map<Key, FoundRequirement> found;
  other_libraries(wheel, arch, libc, found);
  errors_of_check(wheel, arch, libc, found);
  if (libc == Libc::Musl) musl_releases(wheel.facts, arch, found);
  for (std::uint32_t i = 0; assessment != nullptr && i < assessment->requirements.size(); ++i) {
    const Requirement& requirement = assessment->requirements[i];
    const ElfMember& file = wheel.facts.elfs[requirement.elf.value];
    if (!is_for(file.libc, libc)) continue;
    Named named = std::visit(Name{}, requirement.what);
    Key key{named.kind, family_of(named), named.name, named.library};
    const auto [at, is_new] = found.try_emplace(std::move(key));
    SystemRequirement& system_requirement = at->second.system_requirement;
    if (named.kind == Kind::Symbol) at->second.promised = at->second.promised && is_versioned(file, at->first.name);
    if (!is_new) {
      ++system_requirement.files;
      continue;
    }
    system_requirement = {.kind = named.kind,
                          .name = std::move(named.name),
                          .library = std::move(named.library),
                          .member = path_of(wheel.facts, requirement.elf),
                          .symbol = std::move(named.symbol),
                          .files = 1};
    if (system_requirement.kind != Kind::Library) continue;
    system_requirement.library = out_of_reach(wheel, requirement.elf, system_requirement.name);
    at->second.promised = !is_unmet_by_newest(*assessment, i);
  }
  SystemRequirements result;
  for (auto& [key, one] : found) {
    result.list.push_back(std::move(one.system_requirement));
    result.promised.push_back(one.promised);
  }
  return result;
}

}  // namespace wheelcheck::verdict

namespace wheelcheck {

// The systems that the user selects.

namespace {

// opensuse-leap-15.6 -> opensuse-leap
std::string_view family_of(const KnownSystem& system) {
  return std::string_view(system.id).substr(0, system.id.rfind('-'));
}

bool is_named(const KnownSystem& system, const std::string& word) {
  return word == family_of(system) || word == system.codename || glob_match(word, system.id);
}

}  // namespace

Result<std::vector<KnownSystem>> choose_systems(std::vector<KnownSystem> systems, std::span<const std::string> words) {
  if (words.empty()) return systems;
  for (const std::string& word : words) {
    if (std::ranges::any_of(systems, [&](const KnownSystem& system) { return is_named(system, word); })) continue;
    std::set<std::string_view> families;
    for (const KnownSystem& system : systems) families.insert(family_of(system));
    return std::unexpected(Error{ErrorCode::Usage, fmt::format("no system is named {}; known are {}, each with a "
                                                               "version, as in debian-12",
                                                               escape(word, 100), fmt::join(families, ", "))});
  }
  std::erase_if(systems, [&](const KnownSystem& system) {
    return std::ranges::none_of(words, [&](const std::string& word) { return is_named(system, word); });
  });
  return systems;
}

// The platform tags that pip accepts on a system, computed from its C library as packaging.tags does.

namespace {

using Family = PlatformTag::Family;

// packaging/_manylinux.py: the tags go from the system's glibc down to 2.5 on x86 and to 2.17 elsewhere; ARM below v7
// has none.
bool takes_manylinux(const PlatformTag& tag, const KnownSystem& system, Arch arch) {
  if (system.libc != Libc::Glibc || arch == Arch::armv6l) return false;
  const bool x86 = arch == Arch::x86_64 || arch == Arch::i686;
  return tag.libc >= Version{{2, x86 ? 5u : 17u}} && tag.libc <= system.libc_version;
}

// packaging/_musllinux.py: the same major version of musl, and no newer minor one.
bool takes_musllinux(const PlatformTag& tag, const KnownSystem& system) {
  return system.libc == Libc::Musl && tag.libc.parts[0] == system.libc_version.parts[0] &&
         tag.libc.parts[1] <= system.libc_version.parts[1];
}

// pip compares tags as text, so manylinux_2_017_x86_64 is not accepted although it can be parsed.
bool is_written_as_pip_does(const PlatformTag& tag) {
  const bool legacy = tag.family == Family::Manylinux && !tag.text.starts_with("manylinux_");
  return legacy || tag.text == tag.canonical;
}

}  // namespace

bool pip_takes(const PlatformTag& tag, const KnownSystem& system, Arch arch) {
  if (tag.family == Family::Any) return true;
  if (tag.arch != arch || !tag.isa.empty() || !is_written_as_pip_does(tag)) return false;
  if (tag.family == Family::Linux) return true;
  if (tag.family == Family::Manylinux) return takes_manylinux(tag, system, arch);
  return tag.family == Family::Musllinux && takes_musllinux(tag, system);
}

}  // namespace wheelcheck
