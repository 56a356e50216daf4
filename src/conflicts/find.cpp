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
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text.h"
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

namespace {

// The libraries that no file here has and that files with a failed import require, directly or by their own libraries.
// Only imports that are certain count: of the variants of a module that code tries, one is loaded.
std::set<std::string> absent_libraries(const Conflicts& conflicts) {
  const Installation& all = conflicts.installation;
  std::set<std::string_view> here;
  for (const process::File& file : all.world.files) {
    here.insert(base_name(file.path));
    for (const std::string& alias : file.aliases) here.insert(base_name(alias));
    if (file.facts != nullptr && file.facts->dynamic && file.facts->dynamic->soname)
      here.insert(*file.facts->dynamic->soname);
  }
  std::set<std::string> absent;
  for (const ImportFailure& failure : conflicts.failures) {
    const PlannedOpen& open = planned(conflicts.load_plans[failure.load_plan], failure.at);
    if (!failure.outside || failure.maybe || open.tried || failure.missing->what != process::Missing::What::Library)
      continue;
    const auto distribution = distribution_of(all, failure.missing->from);
    if (!distribution) continue;
    for (const ElfMember& elf : all.distributions[distribution->value].facts.elfs)
      if (is_host_code(elf) && elf.facts.dynamic)
        for (const std::string_view name : elf.facts.dynamic->needed)
          if (!name.empty() && name.find('/') == name.npos && !here.contains(name)) absent.emplace(name);
  }
  return absent;
}

// They are assumed to define what nobody else does, so that the rest of what their users do is judged.
void assume(Installation& installation, const std::set<std::string>& libraries) {
  for (const std::string& name : libraries) {
    installation.world.files.push_back({.path = name, .assumed = process::Assumed{}});
    installation.origins.push_back({.kind = Origin::Kind::Platform});
    installation.names.push_back(name);
  }
}

}  // namespace

Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle, const FirstImports& first_imports) {
  Conflicts out{.installation = std::move(installation), .load_plans = std::move(load_plans)};
  std::vector<process::Plan> plans;
  for (const LoadPlan& load_plan : out.load_plans) plans.push_back(load_plan.plan);
  const std::size_t told = plans.size();
  if (told > 0) std::ranges::move(plans_alone(out.installation, out.load_plans.front()), std::back_inserter(plans));
  std::optional<process::Predictor> predictor;
  std::vector<process::Outcome> outcomes;
  const auto play = [&] {
    outcomes = predictor.emplace(out.installation.world).predict(plans);
    out.failures = failures(out.installation, out.load_plans, std::span(outcomes).first(told),
                            std::span<const process::Plan>(plans).subspan(told),
                            std::span<const process::Outcome>(outcomes).subspan(told));
  };
  play();
  if (const auto absent = absent_libraries(out); !absent.empty()) {
    std::vector<ImportFailure> failed = std::move(out.failures);
    assume(out.installation, absent);
    out.assumed_files = absent.size();
    play();
    const auto is_known = [&](const ImportFailure& each) {
      return std::ranges::any_of(failed, [&](const ImportFailure& one) {
        return one.load_plan == each.load_plan && one.at.step == each.at.step && one.at.open == each.at.open;
      });
    };
    std::erase_if(out.failures, is_known);
    std::ranges::move(out.failures, std::back_inserter(failed));
    out.failures = std::move(failed);
  }
  const auto alone_outcomes = std::span<const process::Outcome>(outcomes).subspan(told);
  const auto required = all_required(out.installation);
  out.importers = importers_of(out.installation, required);
  {
    const Baseline alone(out.installation, alone_outcomes, true);
    std::vector<process::Outcome> own;
    if (told > 0)
      if (const auto own_plans = plans_own_first(out.installation, out.load_plans.front(), outcomes.front(), required);
          !own_plans.empty())
        own = predictor->predict(own_plans);
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
  outcomes.resize(told);
  out.outcomes = std::move(outcomes);
  out.runtimes = runtimes(out.installation, out.outcomes);
  measure_coverage(out);
  if (told > 0) out.publications = publications(out.installation, out.load_plans.front(), out.outcomes.front());
  if (told > 0 && first_imports) fail_as_first_import(out, *predictor, required, first_imports);
  return out;
}

}  // namespace conflicts
}  // namespace wheelcheck
