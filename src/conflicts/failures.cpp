// Opens that fail in a load plan though the distribution can be imported without the others.
#include <algorithm>

#include "conflicts/internal.h"

namespace wheelcheck::conflicts {
namespace {

const process::Failure* failure_at(const process::Outcome& outcome, std::uint32_t step, std::string_view name,
                                   const process::Plan& plan) {
  for (const process::Failure& failure : outcome.failures)
    if (!failure.nested && failure.step == step && plan.steps[step].opens[failure.open].name == name) return &failure;
  return nullptr;
}

}  // namespace

std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone) {
  std::vector<ImportFailure> out;
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    for (const process::Failure& failure : outcomes[i].failures) {
      if (failure.nested || failure.given_up) continue;
      const process::Moment at{failure.step, failure.open};
      const PlannedOpen& open = planned(load_plans[i], at);
      const std::string& name = load_plans[i].plan.steps[at.step].opens[at.open].name;
      const std::size_t own = open.party ? open.party->value : installation.parties.size();
      // Plans of the party alone were made of the first load plan; a step is found again by what it opens.
      const process::Plan& plan = plans_alone[own];
      bool fails_alone = alone[own].refused.has_value();
      for (std::uint32_t step = 0; step < plan.steps.size() && !fails_alone; ++step)
        fails_alone = failure_at(alone[own], step, name, plan) != nullptr;
      if (fails_alone) continue;
      out.push_back({.load_plan = i,
                     .at = at,
                     .party = open.party,
                     .module = open.module,
                     .error = failure.error,
                     .fatal = failure.fatal,
                     .maybe = open.maybe});
    }
  }
  return out;
}

}  // namespace wheelcheck::conflicts
