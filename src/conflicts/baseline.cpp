// What each distribution would be bound to without the others: the measure that a conflict is a difference from.
#include <algorithm>
#include <utility>

#include "conflicts/internal.h"
#include "model/requirements.h"

namespace wheelcheck::conflicts {
std::vector<process::Plan> plans_alone(const Installation& installation, const LoadPlan& load_plan) {
  std::vector<process::Plan> plans;
  for (std::uint32_t i = 0; i <= installation.parties.size(); ++i) {
    const bool stdlib = i == installation.parties.size();
    const std::vector<bool> required = stdlib ? std::vector<bool>(i) : required_by(installation, {i});
    process::Plan plan{.main = load_plan.plan.main, .steps = {}, .environment = load_plan.plan.environment};
    plan.steps.resize(load_plan.plan.steps.size());  // in their old places, so that a step keeps its number
    const auto takes_part = [&](const std::optional<PartyIndex>& party) {
      return party ? !stdlib && (party->value == i || required[party->value]) : stdlib;
    };
    for (std::size_t step = 0; step < plan.steps.size(); ++step)
      for (std::size_t open = 0; open < load_plan.opens[step].size(); ++open)
        if (takes_part(load_plan.opens[step][open].party))
          plan.steps[step].opens.push_back(load_plan.plan.steps[step].opens[open]);
    plans.push_back(std::move(plan));
  }
  return plans;
}

Alone::Alone(const Installation& installation, std::span<const process::Outcome> alone) {
  std::uint32_t count = 0;
  for (const process::File& file : installation.world.files) {
    first_.push_back(count);
    if (file.facts != nullptr && file.facts->dynamic)
      count += static_cast<std::uint32_t>(file.facts->dynamic->references.size());
  }
  entries_.resize(count);
  for (std::uint32_t i = 0; i < alone.size(); ++i)
    take(installation, alone[i],
         i < installation.parties.size() ? std::optional(PartyIndex{i}) : std::optional<PartyIndex>());
}

// A party's own files are told by its own load plan; those of the platform by the first that loads them.
void Alone::take(const Installation& installation, const process::Outcome& outcome, std::optional<PartyIndex> party) {
  for (const process::BoundReference& bound : outcome.bound) {
    if (bound.undone) continue;
    const auto owner = party_of(installation, bound.from);
    if (owner && owner != party) continue;
    Entry& entry = entries_[first_[bound.from.value] + bound.reference];
    if (entry.set) continue;
    entry = {
        .to = bound.to ? bound.to->value : UINT32_MAX, .definition = bound.definition, .way = bound.way, .set = true};
  }
}

std::optional<Bound> Alone::find(ObjectIndex from, std::uint32_t reference) const {
  const Entry& entry = entries_[first_[from.value] + reference];
  if (!entry.set) return std::nullopt;
  return Bound{.to = entry.to == UINT32_MAX ? std::nullopt : std::optional(ObjectIndex{entry.to}),
               .definition = entry.definition,
               .way = entry.way};
}

}  // namespace wheelcheck::conflicts
