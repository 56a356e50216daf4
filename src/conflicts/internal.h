// Internal interface of the conflict analysis: the steps from outcomes of load plans to conflicts, in the order of
// find.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "conflicts/find.h"
#include "wheelcheck/conflicts.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::conflicts {

using process::ObjectIndex;

// --- baseline.cpp -------------------------------------------------------------------------------------------------

// One plan per distribution, in which it is imported with only what it requires, and a last one for the standard
// library. They are made from a load plan by omitting the other steps.
std::vector<process::Plan> plans_alone(const Installation& installation, const LoadPlan& load_plan);

struct Bound {
  std::optional<ObjectIndex> to;
  std::uint32_t definition = process::unknown_definition;
  process::BindingResult way = process::BindingResult::Missing;
};
// The binding of each reference when its distribution is loaded without the others.
class Baseline {
 public:
  // with_libraries: also of distributions whose own plans open nothing, from the plans of those that require them.
  Baseline(const Installation& installation, std::span<const process::Outcome> alone, bool with_libraries);
  // nullopt: not looked up, because the file is not loaded then.
  std::optional<Bound> find(ObjectIndex from, std::uint32_t reference) const;

 private:
  void take(const Installation& installation, const process::Outcome& outcome,
            std::optional<DistributionIndex> distribution);

  struct Entry {
    std::uint32_t to = UINT32_MAX, definition = process::unknown_definition;
    process::BindingResult way = process::BindingResult::Missing;
    bool set = false;
  };
  std::vector<bool> only_libraries_;  // by distribution
  std::vector<std::uint32_t> first_;  // index into entries_, by object
  std::vector<Entry> entries_;
};

// One plan per distribution that binds names of its own to a distribution that it requires. Only the distribution
// itself is imported in it, so that the baseline is the wheel with its own libraries. The other distributions get an
// empty plan.
std::vector<process::Plan> plans_own_first(const Installation& installation, const LoadPlan& load_plan,
                                           const process::Outcome& outcome,
                                           const std::vector<std::vector<bool>>& required);
// The result of required_by for every distribution; by DistributionIndex, then DistributionIndex.
std::vector<std::vector<bool>> all_required(const Installation& installation);
// Conflicts::importers, from all_required.
std::vector<DistributionIndex> importers_of(const Installation& installation,
                                            const std::vector<std::vector<bool>>& required);

// --- binding_diff.cpp: comparison of bindings ---------------------------------------------------------------------

// Returns relations with kind, files, symbols and load plans. The other members are set by SeverityJudge.
std::vector<Relation> differences(const Installation& installation, std::span<const LoadPlan> load_plans,
                                  std::span<const process::Outcome> outcomes, const Baseline& alone,
                                  const Baseline& own_first, const std::vector<std::vector<bool>>& required);

// --- severity.cpp -------------------------------------------------------------------------------------------------

// Sets the remaining members of a relation.
class SeverityJudge {
 public:
  SeverityJudge(const Installation& installation, const Knowledge& knowledge);
  void grade(Relation& relation) const;

 private:
  const Installation& installation_;
  const Knowledge& knowledge_;
  Attributor attribute_;
};

// --- binding_diff.cpp: comparison of symbol pairs -----------------------------------------------------------------
struct SymbolPair {
  const TakenSymbol* symbol = nullptr;
  const Export *own = nullptr, *taken = nullptr;  // null if unknown
  bool standard = false;                          // intended to be shared
  bool kind_differs = false, size_differs = false;
};
std::vector<SymbolPair> measure(const Installation& installation, const Relation& relation,
                                const Attributor& attribute);
Tally tally(std::span<const SymbolPair> symbols);

// --- coverage.cpp, baseline.cpp (runtimes), find.cpp (publications) -----------------------------------------------
std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone);
// Sets not_known, files_opened and references_bound.
void measure_coverage(Conflicts& conflicts);
std::vector<RuntimeTwice> runtimes(const Installation& installation, std::span<const process::Outcome> outcomes);
std::vector<Publication> publications(const Installation& installation, const LoadPlan& load_plan,
                                      const process::Outcome& outcome);

// --- first_import.cpp ---------------------------------------------------------------------------------------------

// Adds the failures of distributions that bind names to a distribution that they require, and do not import it before
// their own modules. Each comes with its load plan and outcome. Borrows from a distribution that the user's own code
// imports first become notes.
void fail_as_first_import(Conflicts& conflicts, const process::Predictor& predictor,
                          const std::vector<std::vector<bool>>& required, const FirstImports& first_imports);

// --- common functions ---------------------------------------------------------------------------------------------
inline std::optional<DistributionIndex> distribution_of(const Installation& installation, ObjectIndex object) {
  const Origin& origin = installation.origins[object.value];
  return origin.kind == Origin::Kind::Distribution ? std::optional(origin.distribution) : std::nullopt;
}
// Null if the file is not of a distribution or was not analysed.
inline const ElfAnalysis* analysis_of(const Installation& installation, ObjectIndex object) {
  const Origin& origin = installation.origins[object.value];
  if (origin.kind != Origin::Kind::Distribution) return nullptr;
  const Analysis& analysis = installation.distributions[origin.distribution.value].analysis;
  return origin.elf.value < analysis.elfs.size() ? &analysis.elfs[origin.elf.value] : nullptr;
}
inline const PlannedOpen& planned(const LoadPlan& load_plan, const process::Moment& at) {
  return load_plan.opens[at.step][at.open];
}

}  // namespace wheelcheck::conflicts
