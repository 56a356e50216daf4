// Computes the highest version node of each family that a file requires (highest_version.h).
#include "model/highest_version.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/text.h"

namespace wheelcheck {

std::set<std::string_view> answered_here(const WheelReport& wheel, ElfIndex elf) {
  std::set<std::string_view> seen, answered;
  if (elf.value >= wheel.resolution.needed.size()) return answered;
  for (const NeededFound& needed : wheel.resolution.needed[elf.value])
    if (seen.insert(needed.name).second && (needed.found == Found::InWheel || needed.found == Found::InProvider))
      answered.insert(needed.name);
  return answered;
}

std::map<std::string_view, Floor, NaturalLess> floors_of(const WheelReport& wheel, ElfIndex elf) {
  std::map<std::string_view, Floor, NaturalLess> out;
  const std::optional<DynamicFacts>& dynamic = wheel.facts.elfs[elf.value].facts.dynamic;
  if (!dynamic) return out;
  const std::set<std::string_view> answered = answered_here(wheel, elf);
  std::vector<Floor*> of_need(dynamic->needs.size(), nullptr);
  for (std::size_t i = 0; i < dynamic->needs.size(); ++i) {
    const VersionNeed& need = dynamic->needs[i];
    if (answered.contains(need.library)) continue;
    const std::string_view suffix = version_suffix(need.version);
    const bool numbered = !suffix.empty() && is_digit(suffix.front());
    of_need[i] = &out[numbered ? version_family(need.version) : need.version];
    if (of_need[i]->node.empty() || natural_order(need.version, of_need[i]->node) >= 0) of_need[i]->node = need.version;
  }
  for (std::size_t i = 0; i < of_need.size(); ++i)
    if (of_need[i] != nullptr && of_need[i]->node != dynamic->needs[i].version) of_need[i] = nullptr;
  for (const Import& import : dynamic->imports)
    if (import.need && import.need->value < of_need.size() && of_need[import.need->value] != nullptr)
      of_need[import.need->value]->symbols.push_back(import.name);
  for (auto& [family, floor] : out) {
    std::ranges::sort(floor.symbols);
    floor.symbols.erase(std::ranges::unique(floor.symbols).begin(), floor.symbols.end());
  }
  return out;
}

}  // namespace wheelcheck
