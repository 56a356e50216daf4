// Opens that fail, and what they lack: something that was given in another form, or something that was not given.
#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "conflicts/internal.h"
#include "model/dependency.h"
#include "model/requirements.h"

namespace wheelcheck::conflicts {
namespace {

using process::Missing;

// The opens of a plan that fail, by the name that they open.
std::set<std::string_view> failing_names(const process::Plan& plan, const process::Outcome& outcome) {
  std::set<std::string_view> names;
  for (const process::Failure& failure : outcome.failures)
    if (!failure.nested && failure.step < plan.steps.size() && failure.open < plan.steps[failure.step].opens.size())
      names.insert(plan.steps[failure.step].opens[failure.open].name);
  return names;
}

class Outside {
 public:
  explicit Outside(const Installation& installation) : installation_(installation) {
    for (std::uint32_t i = 0; i < installation.world.files.size(); ++i) {
      if (!party_of(installation, {i})) continue;
      const process::File& file = installation.world.files[i];
      names_.insert(base_name(file.path));
      if (file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname)
        names_.insert(*file.facts->dynamic->soname);
    }
    for (const Party& party : installation.parties)
      given_.insert(normal_project_name(name_of_distribution(party.facts)));
  }

  // Whether a distribution or a library of the system that is not there could have what is missing.
  bool may_have(const Missing& missing) const {
    switch (missing.what) {
      case Missing::What::Library:
        return !names_.contains(base_name(missing.name));
      case Missing::What::Symbol: {
        const auto party = party_of(installation_, missing.from);
        return party && lacks_requirement(installation_.parties[party->value]);
      }
      case Missing::What::Version:
      case Missing::What::VersionOf:
      case Missing::What::StaticTls:
        break;
    }
    return false;
  }

 private:
  bool lacks_requirement(const Party& party) const {
    if (!party.facts.metadata) return false;
    return std::ranges::any_of(party.facts.metadata->requires_dist, [&](const std::string& line) {
      const Dependency dependency = parse_dependency(line);
      return dependency.for_linux && !dependency.under && !given_.contains(dependency.name);
    });
  }

  const Installation& installation_;
  std::set<std::string_view> names_;
  std::set<std::string, std::less<>> given_;
};

}  // namespace

std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone) {
  std::vector<ImportFailure> out;
  const Outside outside(installation);
  // Plans of the parties alone were made of the first load plan; an open is found again by what it opens.
  std::vector<std::set<std::string_view>> fail_alone;
  for (std::size_t i = 0; i < alone.size(); ++i) fail_alone.push_back(failing_names(plans_alone[i], alone[i]));
  for (std::uint32_t i = 0; i < load_plans.size(); ++i) {
    for (const process::Failure& failure : outcomes[i].failures) {
      if (failure.nested || failure.given_up) continue;
      const process::Moment at{failure.step, failure.open};
      const PlannedOpen& open = planned(load_plans[i], at);
      const std::string& name = load_plans[i].plan.steps[at.step].opens[at.open].name;
      const std::size_t own = open.party ? open.party->value : installation.parties.size();
      const bool fails_alone = alone[own].refused.has_value() || fail_alone[own].contains(name);
      if (load_plans[i].dependant_first && !fails_alone) continue;  // compiled code may import what it requires first
      out.push_back({.load_plan = i,
                     .at = at,
                     .party = open.party,
                     .module = open.module,
                     .error = failure.error,
                     .fatal = failure.fatal,
                     .maybe = open.maybe,
                     .missing = failure.missing,
                     .alone = fails_alone,
                     .outside = failure.missing && outside.may_have(*failure.missing)});
    }
  }
  return out;
}

}  // namespace wheelcheck::conflicts
