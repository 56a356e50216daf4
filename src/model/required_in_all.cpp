// What a wheel requires in all, from what its files require. See required_in_all in interfaces.h.
#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "wheelcheck/interfaces.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

namespace {

// The lowest of the upper limits, or the highest; no limit is the highest.
std::string upper_limit(const std::vector<InterfaceEntry>& entries, bool highest) {
  std::string out = entries.front().below;
  for (const InterfaceEntry& entry : entries) {
    const bool is_lower = !entry.below.empty() && (out.empty() || natural_order(entry.below, out) < 0);
    if (is_lower != highest && entry.below != out) out = entry.below;
  }
  return out;
}

// The highest minimum that more than half of the files require. `entries` are sorted by it.
InterfaceEntry of_most_files(const std::vector<InterfaceEntry>& entries) {
  std::size_t all = 0, above = 0;
  for (const InterfaceEntry& entry : entries) all += entry.files;
  for (auto entry = entries.rbegin(); entry != entries.rend(); ++entry) {
    above += entry->files;
    if (2 * above > all) return *entry;
  }
  return entries.front();
}

}  // namespace

std::vector<InterfaceEntry> required_in_all(std::span<const InterfaceEntry> entries) {
  std::map<std::string_view, std::vector<InterfaceEntry>> by_name;
  for (const InterfaceEntry& entry : entries) by_name[entry.name].push_back(entry);
  std::vector<InterfaceEntry> out;
  bool alternatives = false;
  for (const InterfaceEntry& first : entries) {
    std::vector<InterfaceEntry> same = std::exchange(by_name[first.name], {});
    const bool is_numpy = first.group == InterfaceEntry::Group::Numpy;
    const bool loosest = is_numpy || (alternatives && first.name == "NVIDIA driver");
    if (!loosest) std::erase_if(same, [](const auto& one) { return one.minimum.empty() && one.below.empty(); });
    if (same.empty()) continue;
    std::ranges::stable_sort(same,
                             [](const auto& a, const auto& b) { return natural_order(a.minimum, b.minimum) < 0; });
    const std::string below = upper_limit(same, loosest);
    if (!loosest && !below.empty() && natural_order(below, same.back().minimum) <= 0) {
      alternatives = alternatives || first.name == "CUDA toolkit";
      std::ranges::move(same, std::back_inserter(out));
      continue;
    }
    InterfaceEntry all = is_numpy ? of_most_files(same) : loosest ? same.front() : same.back();
    all.below = below;
    if (!all.minimum.empty() || !all.below.empty()) out.push_back(std::move(all));
  }
  return out;
}

}  // namespace wheelcheck
