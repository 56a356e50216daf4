// Whether a wheel runs on a system of data/systems.json. Two questions are kept apart: whether pip takes the wheel,
// which depends on its tags and the system's C library alone (packaging.tags), and whether its files load, which
// depends on the machine, the C library, the version nodes and the libraries that the system has.
#include "wheelcheck/system_compatibility.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "verdict/system_requirements.h"

namespace wheelcheck {
namespace {

using Family = PlatformTag::Family;
using Kind = SystemRequirement::Kind;

enum class Given { Yes, No, Unknown };

const NewestNode* newest_of(const std::vector<NewestNode>& nodes, std::string_view family) {
  const auto found = std::ranges::find(nodes, family, &NewestNode::family);
  return found == nodes.end() ? nullptr : &*found;
}

bool is_plain_number(std::string_view text) {
  return !text.empty() && is_digit(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '.'; });
}

// A system on one of its machines.
struct SystemOnMachine {
  const KnownSystem& system;
  const SystemMachine& machine;
};

Given gives_node(const SystemOnMachine& place, std::string_view node) {
  // is only valid between files of one glibc build, which is not known
  if (node == "GLIBC_PRIVATE") return Given::Unknown;
  constexpr std::string_view musl = "musl ";
  if (Version release; node.starts_with(musl) && parse_version(node.substr(musl.size()), release))
    return release <= place.system.libc_version ? Given::Yes : Given::No;
  const std::size_t end = node.find('_');
  const std::string_view family = node.substr(0, end);
  const NewestNode* newest = newest_of(place.machine.nodes, family);
  if (newest == nullptr) newest = newest_of(place.system.nodes, family);
  if (newest == nullptr && family == "GLIBC" && place.system.libc == Libc::Musl) return Given::No;
  if (newest == nullptr) return Given::Unknown;
  const std::string_view rest = end == node.npos ? std::string_view() : node.substr(end + 1);
  if (is_plain_number(rest)) return natural_order(rest, newest->number) <= 0 ? Given::Yes : Given::No;
  const bool named = std::ranges::find(place.system.named_nodes, node) != place.system.named_nodes.end();
  return named ? Given::Yes : Given::No;
}

// Whether a finding of `check` does not hold there.
Given escapes(const KnownSystem& system, const std::optional<SystemCondition>& on) {
  if (!on) return Given::No;
  const auto holds = [&](std::string_view text, bool from) {
    Version release;
    return parse_version(text, release) && (release <= system.libc_version) == from ? Given::No : Given::Yes;
  };
  if (!on->from.empty()) return holds(on->from, true);
  if (!on->before.empty()) return holds(on->before, false);
  return Given::Unknown;
}

Given gives(const SystemOnMachine& place, const SystemRequirement& system_requirement, bool promised) {
  switch (system_requirement.kind) {
    case Kind::CLibrary:
    case Kind::Machine:
    case Kind::MissingVersion:
      return Given::No;
    case Kind::Finding:
      return escapes(place.system, system_requirement.on);
    case Kind::Version:
      return gives_node(place, system_requirement.name);
    case Kind::Library:
      if (std::ranges::find(place.system.absent_libraries, system_requirement.name) !=
          place.system.absent_libraries.end())
        return Given::No;
      return promised ? Given::Yes : Given::Unknown;
    case Kind::Isa:
      return system_requirement.name <= "x86-64-v" + std::to_string(place.system.x86_64_level) ? Given::Yes
                                                                                               : Given::Unknown;
    case Kind::Symbol:
      return promised ? Given::Yes : Given::Unknown;
    case Kind::Interpreter:
      return Given::Unknown;
  }
  return Given::Unknown;
}

// Libraries of the C library and of the packages that a minimal installation with CPython has: the runtime of GCC, zlib
// and expat.
bool is_always_installed(std::string_view library) {
  constexpr std::string_view names[] = {"libanl.so.1",    "libdl.so.2",   "libexpat.so.1",  "libgcc_s.so.1",
                                        "libm.so.6",      "libmvec.so.1", "libnsl.so.1",    "libpthread.so.0",
                                        "libresolv.so.2", "librt.so.1",   "libstdc++.so.6", "libutil.so.1",
                                        "libz.so.1"};
  return std::ranges::find(names, library) != std::end(names) || library.starts_with("libc.") ||
         library.starts_with("ld-") || library.starts_with("ld64");
}

// For each element of requirements.list, whether it is informative. A node of a library that is not certain to exist is
// not: if the library is present, so is the node.
std::vector<bool> telling_of(const verdict::SystemRequirements& required) {
  std::set<std::string_view> unknown;
  for (std::size_t i = 0; i < required.list.size(); ++i)
    if (required.list[i].kind == Kind::Library && !required.promised[i]) unknown.insert(required.list[i].name);
  std::vector<bool> result;
  result.reserve(required.list.size());
  for (const SystemRequirement& system_requirement : required.list)
    result.push_back(system_requirement.kind != Kind::Version || !unknown.contains(system_requirement.library));
  return result;
}

SystemCompatibility reach_on(const SystemOnMachine& place, const verdict::SystemRequirements& required,
                             const std::vector<bool>& telling, std::uint32_t first) {
  SystemCompatibility result;
  for (std::uint32_t i = 0; i < required.list.size(); ++i) {
    const Given given = gives(place, required.list[i], required.promised[i]);
    if (given == Given::No) result.lacks.push_back(first + i);
    if (given == Given::Unknown && telling[i]) result.open.push_back(first + i);
  }
  result.runs = !result.lacks.empty() ? Runs::No : !result.open.empty() ? Runs::Depends : Runs::Yes;
  return result;
}

// The assessment of that family, else any for that machine: the requirements of the files are nearly the same in both.
const Assessment* assessment_for(const WheelReport& wheel, Arch arch, Family family) {
  const Assessment* other = nullptr;
  for (const Assessment& one : wheel.assessments) {
    if (one.arch != arch) continue;
    if (one.family == family) return &one;
    if (other == nullptr) other = &one;
  }
  return other;
}

// The order by distribution, then by version.
std::vector<std::uint32_t> in_order(std::span<const KnownSystem> systems) {
  std::vector<std::uint32_t> order(systems.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
    const KnownSystem &one = systems[a], &other = systems[b];
    if (one.distribution != other.distribution) return one.distribution < other.distribution;
    return natural_order(one.version, other.version) < 0;
  });
  return order;
}

const SystemMachine* machine_of(const KnownSystem& system, Arch arch) {
  if (arch == Arch::Other) return system.machines.empty() ? nullptr : &system.machines.front();
  const auto found = std::ranges::find(system.machines, arch, &SystemMachine::arch);
  return found == system.machines.end() ? nullptr : &*found;
}

struct RequirementGroup {
  verdict::SystemRequirements required;
  std::vector<bool> telling;
  std::uint32_t first = 0;
};

RequirementGroup group_of(const WheelReport& wheel, Arch arch, Libc libc, MachineCompatibility& machine) {
  const Family family = libc == Libc::Musl ? Family::Musllinux : Family::Manylinux;
  RequirementGroup group{verdict::requirements_of_system(wheel, assessment_for(wheel, arch, family), arch, libc),
                         {},
                         static_cast<std::uint32_t>(machine.required.size())};
  group.telling = telling_of(group.required);
  for (std::uint32_t i = 0; i < group.required.list.size(); ++i)
    if (const SystemRequirement& one = group.required.list[i];
        one.kind == Kind::Library && group.required.promised[i] && !is_always_installed(one.name))
      machine.to_install.push_back(group.first + i);
  machine.required.insert(machine.required.end(), group.required.list.begin(), group.required.list.end());
  return group;
}

MachineCompatibility reach_on_machine(const WheelReport& wheel, std::span<const KnownSystem> systems, Arch arch) {
  MachineCompatibility result{.arch = arch, .required = {}, .systems = {}, .to_install = {}};
  std::map<Libc, RequirementGroup> groups;
  for (const std::uint32_t index : in_order(systems)) {
    const KnownSystem& system = systems[index];
    const SystemMachine* const machine = machine_of(system, arch);
    if (machine == nullptr) continue;
    auto group = groups.find(system.libc);
    if (group == groups.end()) group = groups.emplace(system.libc, group_of(wheel, arch, system.libc, result)).first;
    const RequirementGroup& required = group->second;
    SystemCompatibility& reach =
        result.systems.emplace_back(reach_on({system, *machine}, required.required, required.telling, required.first));
    reach.system = index;
    for (const PlatformTag& tag : wheel.facts.name.platforms)
      if (pip_takes(tag, system, arch)) reach.tags.push_back(tag.text);
  }
  return result;
}

std::vector<Arch> machines_of(const WheelReport& wheel) {
  std::vector<Arch> result;
  const auto add = [&](Arch arch) {
    if (arch != Arch::Other && std::ranges::find(result, arch) == result.end()) result.push_back(arch);
  };
  for (const PlatformTag& tag : wheel.facts.name.platforms) add(tag.arch);
  for (const Assessment& assessment : wheel.assessments) add(assessment.arch);
  if (result.empty() && wheel.verdict.pure) result.push_back(Arch::Other);
  return result;
}

}  // namespace

WheelCompatibility system_compatibility_of(const WheelReport& wheel, std::span<const KnownSystem> systems) {
  WheelCompatibility result;
  for (const Arch arch : machines_of(wheel)) result.machines.push_back(reach_on_machine(wheel, systems, arch));
  return result;
}

}  // namespace wheelcheck
