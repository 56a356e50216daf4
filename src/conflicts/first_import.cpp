// Distributions that use names of others, played as the first import of a process. If the Python code does not import a
// required distribution before the modules that use it, these work only after somebody else imported it. If it does
// import the other distribution, nothing is missing.

#include <algorithm>
#include <set>
#include <utility>

#include "conflicts/internal.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {
namespace {

using process::Missing;

// By distribution: the required ones to which its files are bound.
std::vector<std::set<DistributionIndex>> providers(const Conflicts& conflicts,
                                                   const std::vector<std::vector<bool>>& required) {
  const Installation& all = conflicts.installation;
  std::vector<std::set<DistributionIndex>> out(all.distributions.size());
  for (const process::BoundReference& bound : conflicts.outcomes.front().bound) {
    if (bound.undone || !bound.to || bound.way != process::BindingResult::Plain) continue;
    const auto user = distribution_of(all, bound.from), provider = distribution_of(all, *bound.to);
    if (user && provider && user != provider && required[user->value][provider->value])
      out[user->value].insert(*provider);
  }
  return out;
}

// A requirement that is not here may import the provider.
bool has_all_requirements(const Installation& all, const Distribution& distribution) {
  if (!distribution.facts.metadata) return false;
  std::set<std::string> given;
  for (const Distribution& each : all.distributions)
    given.insert(normal_project_name(name_of_distribution(each.facts)));
  for (const auto& [name, project] : all.projects)
    if (name != project) given.insert(project);  // others have no machine code, and their imports were not read
  return std::ranges::all_of(distribution.facts.metadata->requires_dist, [&](const std::string& line) {
    const Dependency dependency = parse_dependency(line);
    return !dependency.for_linux || dependency.under || given.contains(dependency.name);
  });
}

bool defines(const ElfFacts& facts, const Missing& missing) {
  if (!facts.dynamic) return false;
  if (missing.what == Missing::What::Library)
    return facts.dynamic->soname == std::optional<std::string_view>(missing.name);
  return std::ranges::find(facts.dynamic->exports, missing.name, &Export::name) != facts.dynamic->exports.end();
}

class FirstImport {
 public:
  FirstImport(const Conflicts& conflicts, const std::vector<std::vector<bool>>& required,
              DistributionIndex distribution, const std::set<DistributionIndex>& providers)
      : conflicts_(conflicts),
        all_(conflicts.installation),
        required_(required),
        distribution_(distribution),
        providers_(providers) {}

  // The failure of the distribution's first module, if nothing that runs before it can import the provider.
  std::optional<ImportFailure> failure(const LoadPlan& load_plan, const process::Outcome& outcome) const {
    for (const process::Failure& each : outcome.failures) {
      if (each.nested || each.given_up || !each.missing) continue;
      const PlannedOpen& open = planned(load_plan, {each.step, each.open});
      if (open.distribution != distribution_ || open.module.empty() || open.maybe || open.in_code) continue;
      if (each.missing->what != Missing::What::Library && each.missing->what != Missing::What::Symbol) return {};
      const auto provider = provider_of(*each.missing);
      if (!provider) return std::nullopt;
      const DistributionIndex owner = *distribution_of(all_, *provider);
      if (may_import(load_plan, {each.step, each.open}, owner)) return std::nullopt;
      ImportFailure out{.load_plan = 0,
                        .at = {each.step, each.open},
                        .distribution = distribution_,
                        .module = open.module,
                        .error = each.error,
                        .fatal = each.fatal,
                        // Who imports a module outside of packages, or one that no code of the wheel imports, may
                        // have imported the provider.
                        .maybe = open.module.find('.') == open.module.npos || is_uncertain(*open.object),
                        .missing = each.missing,
                        .alone = true};
      out.missing->library = provider;
      out.import_first = owner;
      return out;
    }
    return std::nullopt;
  }

 private:
  bool is_uncertain(ObjectIndex file) const {
    return std::ranges::any_of(conflicts_.load_plans, [&](const LoadPlan& plan) {
      return std::ranges::any_of(plan.opens, [&](const std::vector<PlannedOpen>& step) {
        return std::ranges::any_of(
            step, [&](const PlannedOpen& open) { return open.object == std::optional(file) && open.maybe; });
      });
    });
  }

  std::optional<ObjectIndex> provider_of(const Missing& missing) const {
    for (std::uint32_t i = 0; i < all_.world.files.size(); ++i) {
      const auto owner = distribution_of(all_, {i});
      if (owner && providers_.contains(*owner) && all_.world.files[i].facts != nullptr &&
          defines(*all_.world.files[i].facts, missing))
        return ObjectIndex{i};
    }
    return std::nullopt;
  }

  // Whether the machine code of a module that is opened before could import the provider.
  bool may_import(const LoadPlan& load_plan, const process::Moment& before, DistributionIndex provider) const {
    for (std::uint32_t i = 0; i < before.open; ++i) {
      const PlannedOpen& open = load_plan.opens[before.step][i];
      if (open.module.empty() || !open.distribution) continue;
      if (open.distribution == distribution_ || required_[open.distribution->value][provider.value]) return true;
    }
    return false;
  }

  const Conflicts& conflicts_;
  const Installation& all_;
  const std::vector<std::vector<bool>>& required_;
  const DistributionIndex distribution_;
  const std::set<DistributionIndex>& providers_;
};

}  // namespace

namespace {

// Whether all files that use the names are bound to the provider although nothing was imported before. A file that is
// opened later finds the provider if the imports have loaded it.
bool is_imported_by_user(const Relation& relation, const process::Outcome& outcome) {
  std::set<process::ObjectIndex> bound, loaded;
  for (const process::Loaded& each : outcome.loaded) loaded.insert(each.file);
  for (const process::BoundReference& each : outcome.bound)
    if (!each.undone && each.to == relation.provider) bound.insert(each.from);
  return loaded.contains(relation.provider) && std::ranges::all_of(relation.by, [&](process::ObjectIndex by) {
           return bound.contains(by) || !loaded.contains(by);
         });
}

// Adds the failure to the order in which the distribution comes first, if that was played. There it fails at the same
// open.
bool happens_in_order(Conflicts& conflicts, const ImportFailure& failure, const LoadPlan& load_plan) {
  const PlannedOpen& open = planned(load_plan, failure.at);
  for (std::uint32_t i = 0; i < conflicts.load_plans.size(); ++i) {
    if (!conflicts.load_plans[i].dependant_first || conflicts.load_plans[i].order.front() != failure.distribution)
      continue;
    for (const process::Failure& each : conflicts.outcomes[i].failures) {
      const process::Moment at{each.step, each.open};
      if (each.nested || planned(conflicts.load_plans[i], at).object != open.object) continue;
      conflicts.failures.push_back(failure);
      conflicts.failures.back().load_plan = i;
      conflicts.failures.back().at = at;
      return true;
    }
  }
  return false;
}

// Borrows for which nothing in the metadata speaks.
bool is_undeclared_borrow(const Relation& relation) {
  return relation.kind == RelationKind::Borrow && relation.distribution && !relation.required &&
         relation.severity == Severity::Warning;
}

}  // namespace

void fail_as_first_import(Conflicts& conflicts, const process::Predictor& predictor,
                          const std::vector<std::vector<bool>>& required, const FirstImports& first_imports) {
  const Installation& all = conflicts.installation;
  const auto used = providers(conflicts, required);
  std::vector<bool> borrows(used.size());
  for (const Relation& relation : conflicts.relations)
    if (is_undeclared_borrow(relation)) borrows[relation.distribution->value] = true;
  std::vector<DistributionIndex> users;
  for (std::uint32_t i = 0; i < used.size(); ++i)
    if (borrows[i] ||
        (!used[i].empty() && all.distributions[i].facts.all_python && has_all_requirements(all, all.distributions[i])))
      users.push_back({i});
  std::vector<LoadPlan> load_plans = first_imports(all, users);
  std::vector<process::Plan> plans;
  for (const LoadPlan& each : load_plans) plans.push_back(each.plan);
  if (plans.empty()) return;
  std::vector<process::Outcome> outcomes = predictor.predict(plans);
  for (std::size_t i = 0; i < users.size() && i < outcomes.size(); ++i) {
    for (Relation& relation : conflicts.relations)
      if (is_undeclared_borrow(relation) && relation.distribution == users[i] &&
          is_imported_by_user(relation, outcomes[i]))
        relation.severity = Severity::Note;
    if (used[users[i].value].empty() || !all.distributions[users[i].value].facts.all_python ||
        !has_all_requirements(all, all.distributions[users[i].value]))
      continue;
    auto failure = FirstImport(conflicts, required, users[i], used[users[i].value]).failure(load_plans[i], outcomes[i]);
    if (!failure) continue;
    if (happens_in_order(conflicts, *failure, load_plans[i])) continue;
    failure->load_plan = static_cast<std::uint32_t>(conflicts.load_plans.size());
    conflicts.failures.push_back(std::move(*failure));
    conflicts.load_plans.push_back(std::move(load_plans[i]));
    conflicts.outcomes.push_back(std::move(outcomes[i]));
  }
}

}  // namespace wheelcheck::conflicts
