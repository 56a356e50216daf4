#include "wheel/name_budget.h"

#include "model/name_cost.h"

namespace wheelcheck::wheel {
NameBudget::NameBudget(std::span<const archive::Entry> entries) {
  constexpr std::uint64_t for_a_byte = 96;
  for (const archive::Entry& entry : entries)
    max_ += for_a_byte * (entry.packed_size != 0 ? entry.packed_size : entry.size);
}

bool NameBudget::admits(const ElfFacts& facts) { return (used_ += name_cost(facts)) <= max_refused * max_; }

void NameBudget::take(ElfFacts& facts) {
  taken_ += name_cost(facts);
  if (taken_ <= max_ || !facts.dynamic) return;
  facts.kind = ElfKind::Other;
  facts.dynamic.reset();
  facts.flaws.push_back({.area = ElfArea::Dynamic,
                         .fatal = true,
                         .reason = "names more libraries, versions, directories and symbols than are read of a wheel "
                                   "of its size"});
}

}  // namespace wheelcheck::wheel
