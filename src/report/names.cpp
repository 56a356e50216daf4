// Names of members and places, and the version floors of a file.
#include "report/names.h"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

#include "base/text.h"

namespace wheelcheck::report {

const ElfAnalysis& analysis_of(const Analysis& analysis, ElfIndex elf) {
  static const ElfAnalysis nothing;
  return elf.value < analysis.elfs.size() ? analysis.elfs[elf.value] : nothing;
}

const MemberFacts& member_of(const WheelFacts& wheel, ElfIndex elf) {
  return wheel.members[wheel.elfs[elf.value].member.value];
}

std::string elf_path(const WheelFacts& wheel, ElfIndex elf) { return escape(member_of(wheel, elf).path.text()); }

const WheelFacts& wheel_of(const Subject& subject, WheelIndex index) {
  return index.value == 0 ? subject.wheel.facts : subject.providers[index.value - 1];
}

std::string elf_path(const Subject& subject, ElfRef elf) {
  const WheelFacts& wheel = wheel_of(subject, elf.wheel);
  const std::string path = elf_path(wheel, elf.elf);
  return elf.wheel.value == 0 ? path : fmt::format("{}::{}", escape(wheel.file), path);
}

std::string place_path(const WheelFacts& wheel, const Place& place) {
  if (const auto* member = std::get_if<AtMember>(&place))
    return escape(wheel.members[member->member.value].path.text());
  if (const auto* path = std::get_if<AtPath>(&place)) return escape(path->path);
  if (const auto* elf = std::get_if<AtElf>(&place)) return elf_path(wheel, elf->elf);
  return "";
}

std::string place_text(const WheelFacts& wheel, const Place& place) {
  const std::string path = place_path(wheel, place);
  return path.empty() ? escape(wheel.file) : fmt::format("{}::{}", escape(wheel.file), path);
}

Promise overall(const Verdict& verdict) {
  for (const Promise promise : {Promise::Broken, Promise::Unknown, Promise::Kept})
    if (std::ranges::find(verdict.claims, promise, &Claim::promise) != verdict.claims.end()) return promise;
  return Promise::NoPromise;
}

std::vector<std::vector<std::string_view>> symbols_by_need(const DynamicFacts& dynamic) {
  std::vector<std::vector<std::string_view>> out(dynamic.needs.size());
  for (const Import& import : dynamic.imports)
    if (import.need && import.need->value < out.size()) out[import.need->value].push_back(import.name);
  for (std::vector<std::string_view>& names : out) {
    std::ranges::sort(names);
    names.erase(std::ranges::unique(names).begin(), names.end());
  }
  return out;
}

bool answered_here(const WheelReport& wheel, ElfIndex elf, std::string_view library) {
  if (elf.value >= wheel.resolution.needed.size()) return false;
  const std::vector<NeededFound>& needed = wheel.resolution.needed[elf.value];
  const auto at = std::ranges::find(needed, library, &NeededFound::name);
  return at != needed.end() && (at->found == Found::InWheel || at->found == Found::InProvider);
}

std::map<std::string_view, Floor, NaturalLess> floors_of(const WheelReport& wheel, ElfIndex elf) {
  std::map<std::string_view, Floor, NaturalLess> out;
  const std::optional<DynamicFacts>& dynamic = wheel.facts.elfs[elf.value].facts.dynamic;
  if (!dynamic) return out;
  std::vector<Floor*> of_need(dynamic->needs.size(), nullptr);
  for (std::size_t i = 0; i < dynamic->needs.size(); ++i) {
    const VersionNeed& need = dynamic->needs[i];
    if (answered_here(wheel, elf, need.library)) continue;
    const std::string_view suffix = version_suffix(need.version);
    const bool numbered = !suffix.empty() && is_digit(suffix.front());
    Floor& floor = out[numbered ? version_family(need.version) : need.version];
    if (!floor.node.empty() && natural_order(need.version, floor.node) < 0) continue;
    if (need.version != floor.node) std::ranges::replace(of_need, &floor, nullptr);
    floor.node = need.version;
    of_need[i] = &floor;
  }
  for (const Import& import : dynamic->imports)
    if (import.need && import.need->value < of_need.size() && of_need[import.need->value] != nullptr)
      of_need[import.need->value]->symbols.push_back(import.name);
  for (auto& [family, floor] : out) {
    std::ranges::sort(floor.symbols);
    floor.symbols.erase(std::ranges::unique(floor.symbols).begin(), floor.symbols.end());
  }
  return out;
}

}  // namespace wheelcheck::report
