// Computes the highest version node of each family that a file requires (highest_version.h).
#include "model/highest_version.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/text.h"

namespace wheelcheck {

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

}  // namespace wheelcheck
