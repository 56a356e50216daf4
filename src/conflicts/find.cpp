// Finds the conflicts of an installation.
//
// A process has one list of loaded libraries and one global scope. A wheel that works alone can therefore bind to, or
// get instead of its own, a library of another wheel. What "alone" means is simulated too: each load plan is run by the
// model of the loader (src/ldso) with all distributions, and for each distribution once more with only what its
// metadata requires. A conflict is a difference between the two: a symbol that another file provides, or an import that
// fails only together. Nothing is judged by names alone.
//
// The steps, each in a file of its own: baseline.cpp makes the plans without the others, binding_diff.cpp compares the
// bindings and groups the differences by the two files, severity.cpp decides from sizes, kinds and versions of both
// definitions whether a group does harm, coverage.cpp says what could not be opened, read or modelled, and
// first_import.cpp tries other first imports for what fails. No answer is calm if something of it is not known.
#include "conflicts/find.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "conflicts/internal.h"

namespace wheelcheck {

namespace conflicts {

std::vector<Publication> publications(const Installation& installation, const LoadPlan& load_plan,
                                      const process::Outcome& outcome) {
  std::vector<Publication> out;
  for (const process::Published& each : outcome.published) {
    const auto distribution = distribution_of(installation, each.file);
    if (!distribution) continue;
    auto at = std::ranges::find(out, *distribution, &Publication::distribution);
    if (at == out.end())
      at = out.insert(out.end(), {.distribution = *distribution,
                                  .files = {},
                                  .exports = 0,
                                  .flags = planned(load_plan, {each.step, each.open}).flags});
    at->files.push_back(each.file);
    if (const auto& dynamic = installation.world.files[each.file.value].facts->dynamic)
      at->exports += dynamic->exports.size();
  }
  return out;
}

Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle, const FirstImports& first_imports) {
  Conflicts out{.installation = std::move(installation), .load_plans = std::move(load_plans)};
  std::vector<process::Plan> plans;
  for (const LoadPlan& load_plan : out.load_plans) plans.push_back(load_plan.plan);
  const std::size_t told = plans.size();
  if (told > 0) std::ranges::move(plans_alone(out.installation, out.load_plans.front()), std::back_inserter(plans));
  const process::Predictor predictor(out.installation.world);
  std::vector<process::Outcome> outcomes = predictor.predict(plans);
  const auto alone_outcomes = std::span<const process::Outcome>(outcomes).subspan(told);
  const auto required = all_required(out.installation);
  out.importers = importers_of(out.installation, required);
  {
    const Baseline alone(out.installation, alone_outcomes, true);
    std::vector<process::Outcome> own;
    if (told > 0)
      if (const auto own_plans = plans_own_first(out.installation, out.load_plans.front(), outcomes.front(), required);
          !own_plans.empty())
        own = predictor.predict(own_plans);
    out.relations = differences(out.installation, out.load_plans, std::span(outcomes).first(told), alone,
                                Baseline(out.installation, own, false), required);
  }
  const SeverityJudge grader(out.installation, knowledge);
  for (Relation& relation : out.relations) {
    grader.grade(relation);
    for (const TakenSymbol& example : relation.examples) relation.shown.push_back(demangle(example.name));
  }
  std::ranges::stable_sort(out.relations, [](const Relation& a, const Relation& b) {
    const auto weight = [](const Relation& each) {
      return std::tuple(each.severity, each.reason == Reason::AbiProof, each.symbols.size());
    };
    return weight(a) > weight(b);
  });
  out.failures = failures(out.installation, out.load_plans, std::span(outcomes).first(told),
                          std::span<const process::Plan>(plans).subspan(told), alone_outcomes);
  outcomes.resize(told);
  out.outcomes = std::move(outcomes);
  out.runtimes = runtimes(out.installation, out.outcomes);
  measure_coverage(out);
  if (told > 0) out.publications = publications(out.installation, out.load_plans.front(), out.outcomes.front());
  if (told > 0 && first_imports) fail_as_first_import(out, predictor, required, first_imports);
  return out;
}

}  // namespace conflicts
}  // namespace wheelcheck
