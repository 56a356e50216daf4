// The steps from load plans that were played to conflicts, in the order in which find.cpp takes them.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::conflicts {

using process::ObjectIndex;

// --- alone.cpp ----------------------------------------------------------------------------------------------------
// For each distribution a plan in which it is imported with nothing but what it requires, last one for the standard
// library; made from a load plan by leaving out the other steps.
std::vector<process::Plan> plans_alone(const Installation& installation, const LoadPlan& load_plan);

struct Bound {
  std::optional<ObjectIndex> to;
  std::uint32_t definition = process::unknown_definition;
  process::Way way = process::Way::Missing;
};
// What each reference is bound to where its distribution is alone.
class Alone {
 public:
  Alone(const Installation& installation, std::span<const process::Outcome> alone);
  // nullopt: not looked up, as the file is not loaded then.
  std::optional<Bound> find(ObjectIndex from, std::uint32_t reference) const;

 private:
  void take(const Installation& installation, const process::Outcome& outcome,
            std::optional<DistributionIndex> distribution);

  struct Entry {
    std::uint32_t to = UINT32_MAX, definition = process::unknown_definition;
    process::Way way = process::Way::Missing;
    bool set = false;
  };
  std::vector<std::uint32_t> first_;  // by object
  std::vector<Entry> entries_;
};

// For each distribution that takes names of its own from what it requires, a plan in which nothing but it is imported:
// a wheel is measured by itself and its own libraries. The others get a plan that opens nothing.
std::vector<process::Plan> plans_own_first(const Installation& installation, const LoadPlan& load_plan,
                                           const process::Outcome& outcome,
                                           const std::vector<std::vector<bool>>& required);
// By DistributionIndex, then DistributionIndex: required_by.
std::vector<std::vector<bool>> all_required(const Installation& installation);

// --- differ.cpp ---------------------------------------------------------------------------------------------------
// Relations with kind, files, symbols and load plans; not yet measured.
std::vector<Relation> differences(const Installation& installation, std::span<const LoadPlan> load_plans,
                                  std::span<const process::Outcome> outcomes, const Alone& alone,
                                  const Alone& own_first, const std::vector<std::vector<bool>>& required);

// --- grade.cpp ----------------------------------------------------------------------------------------------------
// Fills in the rest of a relation.
class Grader {
 public:
  Grader(const Installation& installation, const Knowledge& knowledge);
  void grade(Relation& relation) const;

 private:
  const Installation& installation_;
  const Knowledge& knowledge_;
  Attributor attribute_;
};

// --- measure.cpp --------------------------------------------------------------------------------------------------
struct Measured {
  const TakenSymbol* symbol = nullptr;
  const Export *own = nullptr, *taken = nullptr;  // null where nothing is known of them
  bool standard = false;                          // may be shared
  bool kind_differs = false, size_differs = false;
};
std::vector<Measured> measure(const Installation& installation, const Relation& relation, const Attributor& attribute);
Tally tally(std::span<const Measured> symbols);

// --- failures.cpp, runtimes.cpp, publications.cpp -----------------------------------------------------------------
std::vector<ImportFailure> failures(const Installation& installation, std::span<const LoadPlan> load_plans,
                                    std::span<const process::Outcome> outcomes,
                                    std::span<const process::Plan> plans_alone,
                                    std::span<const process::Outcome> alone);
// Fills in not_known, files_opened and references_bound.
void measure_coverage(Conflicts& conflicts);
std::vector<RuntimeTwice> runtimes(const Installation& installation, std::span<const process::Outcome> outcomes);
std::vector<Publication> publications(const Installation& installation, const LoadPlan& load_plan,
                                      const process::Outcome& outcome);

// --- all ----------------------------------------------------------------------------------------------------------
inline std::optional<DistributionIndex> distribution_of(const Installation& installation, ObjectIndex object) {
  const Origin& origin = installation.origins[object.value];
  return origin.kind == Origin::Kind::Distribution ? std::optional(origin.distribution) : std::nullopt;
}
// Null where the file is no distribution's, or was not analysed.
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
