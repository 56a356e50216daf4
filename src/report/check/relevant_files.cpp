// Which ELF files the default page shows. A wheel may hold hundreds; a reader wants those that decide something.
#include <algorithm>
#include <set>
#include <variant>

#include "report/check/elf_text.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t most_relevant_files = 12;

// Files in the order in which they matter, each once.
class Picked {
 public:
  void add(ElfIndex elf) {
    if (seen_.insert(elf).second) order_.push_back(elf);
  }
  std::vector<ElfIndex> order() const { return order_; }

 private:
  std::set<ElfIndex> seen_;
  std::vector<ElfIndex> order_;
};

void add_unmet(Picked& picked, const Assessment& assessment, const std::vector<RequirementIndex>& unmet_requirements) {
  for (const RequirementIndex index : unmet_requirements) picked.add(assessment.requirements[index.value].elf);
}

// The first file by path that asks for the highest node of each family.
void add_floors(Picked& picked, const WheelReport& wheel) {
  std::map<std::string_view, std::pair<std::string_view, ElfIndex>> highest;
  for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) {
    if (wheel.facts.elfs[i].facts.use != MachineUse::Host) continue;
    for (const auto& [family, floor] : floors_of(wheel, ElfIndex{i})) {
      auto& best = highest[family];
      if (best.first.empty() || natural_order(best.first, floor.node) < 0) best = {floor.node, ElfIndex{i}};
    }
  }
  for (const auto& [family, best] : highest) picked.add(best.second);
}

}  // namespace

Telling telling_files(const WheelReport& wheel) {
  Picked picked;
  for (const Claim& claim : wheel.verdict.claims)
    if (claim.assessment && claim.promise == Promise::Broken)
      add_unmet(picked, wheel.assessments[*claim.assessment], claim.unmet_requirements);
  for (const Finding& finding : wheel.findings)
    if (const auto* at = std::get_if<AtElf>(&finding.place)) picked.add(at->elf);
  for (const Assessment& assessment : wheel.assessments) {
    const std::size_t next = assessment.best.value + std::size_t{1};
    if (next < assessment.levels.size()) add_unmet(picked, assessment, assessment.levels[next].unmet_requirements);
  }
  add_floors(picked, wheel);
  if (wheel.facts.elfs.size() <= 3)
    for (std::uint32_t i = 0; i < wheel.facts.elfs.size(); ++i) picked.add(ElfIndex{i});
  Telling out{.files = picked.order()};
  if (out.files.size() > most_relevant_files) {
    out.left_out = out.files.size() - most_relevant_files;
    out.files.resize(most_relevant_files);
  }
  std::ranges::sort(out.files);
  return out;
}

}  // namespace wheelcheck::report
