// The baseline: the bindings of each distribution without the others. A conflict is a difference from it.

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <utility>

#include "conflicts/internal.h"
#include "model/requires_dist.h"

namespace wheelcheck::conflicts {

std::vector<process::Plan> plans_alone(const Installation& installation, const LoadPlan& load_plan) {
  std::vector<process::Plan> plans;
  for (std::uint32_t i = 0; i <= installation.distributions.size(); ++i) {
    const bool stdlib = i == installation.distributions.size();
    const std::vector<bool> required = stdlib ? std::vector<bool>(i) : required_by(installation, {i});
    process::Plan plan{.main = load_plan.plan.main, .steps = {}, .environment = load_plan.plan.environment};
    plan.steps.resize(load_plan.plan.steps.size());  // one entry per step, so that the steps keep their numbers
    const auto takes_part = [&](const std::optional<DistributionIndex>& distribution) {
      return distribution ? !stdlib && (distribution->value == i || required[distribution->value]) : stdlib;
    };
    for (std::size_t step = 0; step < plan.steps.size(); ++step)
      for (std::size_t open = 0; open < load_plan.opens[step].size(); ++open)
        if (takes_part(load_plan.opens[step][open].distribution))
          plan.steps[step].opens.push_back(load_plan.plan.steps[step].opens[open]);
    plans.push_back(std::move(plan));
  }
  return plans;
}

std::vector<std::vector<bool>> all_required(const Installation& installation) {
  std::vector<std::vector<bool>> out;
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i) out.push_back(required_by(installation, {i}));
  return out;
}

std::vector<DistributionIndex> importers_of(const Installation& installation,
                                            const std::vector<std::vector<bool>>& required) {
  const auto has_modules = [](const Distribution& each) {
    return !each.facts.python.empty() || std::ranges::any_of(each.facts.elfs, [](const ElfMember& elf) {
      return std::holds_alternative<ExtensionModule>(elf.role);
    });
  };
  std::vector<bool> imported;
  for (const Distribution& each : installation.distributions) imported.push_back(has_modules(each));
  std::vector<DistributionIndex> out;
  for (std::uint32_t i = 0; i < imported.size(); ++i) {
    std::uint32_t by = i;
    for (std::uint32_t j = 0; !imported[by] && j < imported.size(); ++j)
      if (imported[j] && required[j][i]) by = j;
    out.push_back({by});
  }
  return out;
}

namespace {

// Names that the loaded files of a distribution define with global binding. Weak and unique ones are excluded, because
// vague linkage (inline functions, templates) emits them in many files.
std::set<std::string_view> strong_names(const Installation& installation, const process::Outcome& outcome,
                                        DistributionIndex distribution) {
  std::set<std::string_view> names;
  for (const process::Loaded& each : outcome.loaded) {
    if (distribution_of(installation, each.file) != distribution) continue;
    const ElfFacts* const facts = installation.world.files[each.file.value].facts;
    if (facts == nullptr || !facts->dynamic) continue;
    for (const Export& symbol : facts->dynamic->exports)
      if (symbol.binding == Binding::Global) names.insert(symbol.name);
  }
  return names;
}

// The distributions with a reference that is bound to a required distribution although one of their own files defines
// the name.
std::vector<bool> takers(const Installation& installation, const process::Outcome& outcome,
                         const std::vector<std::vector<bool>>& required) {
  std::vector<bool> out(installation.distributions.size());
  std::map<DistributionIndex, std::set<std::string_view>> names;
  for (const process::BoundReference& bound : outcome.bound) {
    if (bound.undone || !bound.to || bound.way != process::BindingResult::Plain) continue;
    const auto user = distribution_of(installation, bound.from), provider = distribution_of(installation, *bound.to);
    if (!user || !provider || user == provider || out[user->value] || !required[user->value][provider->value]) continue;
    const auto at = names.find(*user);
    const auto& own =
        at != names.end() ? at->second : names.emplace(*user, strong_names(installation, outcome, *user)).first->second;
    const ElfFacts& facts = *installation.world.files[bound.from.value].facts;
    if (own.contains(process::symbol_request(facts, bound.reference).name)) out[user->value] = true;
  }
  return out;
}

}  // namespace

std::vector<process::Plan> plans_own_first(const Installation& installation, const LoadPlan& load_plan,
                                           const process::Outcome& outcome,
                                           const std::vector<std::vector<bool>>& required) {
  std::vector<process::Plan> plans;
  const std::vector<bool> taking = takers(installation, outcome, required);
  if (std::ranges::find(taking, true) == taking.end()) return plans;
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i) {
    process::Plan plan{.main = load_plan.plan.main, .steps = {}, .environment = load_plan.plan.environment};
    if (taking[i]) plan.steps.emplace_back();
    for (std::size_t step = 0; taking[i] && step < load_plan.opens.size(); ++step)
      for (std::size_t open = 0; open < load_plan.opens[step].size(); ++open)
        if (load_plan.opens[step][open].distribution == DistributionIndex{i})
          plan.steps.back().opens.push_back(load_plan.plan.steps[step].opens[open]);
    plans.push_back(std::move(plan));
  }
  return plans;
}

Baseline::Baseline(const Installation& installation, std::span<const process::Outcome> alone, bool with_libraries)
    : only_libraries_(installation.distributions.size()) {
  std::uint32_t count = 0;
  for (const process::File& file : installation.world.files) {
    first_.push_back(count);
    if (file.facts != nullptr && file.facts->dynamic)
      count += static_cast<std::uint32_t>(file.facts->dynamic->references.size());
  }
  entries_.resize(count);
  for (std::uint32_t i = 0; with_libraries && i < only_libraries_.size() && i < alone.size(); ++i)
    only_libraries_[i] = std::ranges::none_of(alone[i].loaded, [&](const process::Loaded& each) {
      return distribution_of(installation, each.file) == DistributionIndex{i};
    });
  for (std::uint32_t i = 0; i < alone.size(); ++i)
    take(installation, alone[i],
         i < installation.distributions.size() ? std::optional(DistributionIndex{i})
                                               : std::optional<DistributionIndex>());
}

// References of a distribution's files come from its own plan. Those of platform files, and of a distribution that only
// contains libraries (PyQt6-Qt6), come from the first plan that loads them.
void Baseline::take(const Installation& installation, const process::Outcome& outcome,
                    std::optional<DistributionIndex> distribution) {
  for (const process::BoundReference& bound : outcome.bound) {
    if (bound.undone) continue;
    const auto owner = distribution_of(installation, bound.from);
    if (owner && owner != distribution && !only_libraries_[owner->value]) continue;
    Entry& entry = entries_[first_[bound.from.value] + bound.reference];
    if (entry.set) continue;
    entry = {
        .to = bound.to ? bound.to->value : UINT32_MAX, .definition = bound.definition, .way = bound.way, .set = true};
  }
}

std::optional<Bound> Baseline::find(ObjectIndex from, std::uint32_t reference) const {
  const Entry& entry = entries_[first_[from.value] + reference];
  if (!entry.set) return std::nullopt;
  return Bound{.to = entry.to == UINT32_MAX ? std::nullopt : std::optional(ObjectIndex{entry.to}),
               .definition = entry.definition,
               .way = entry.way};
}

// --- runtimes: several copies of a runtime in one process, each with its own threads, tables or handlers ----------

namespace {

constexpr std::array<std::string_view, 5> families = {"openmp", "tbb", "fortran", "cxx-runtime", "protobuf"};

// Intel's and LLVM's runtimes register under the same name in the process, and the second one aborts the process
// (openmp/runtime/src/kmp_runtime.cpp, __kmp_register_library_startup).
constexpr std::string_view kmp = "libomp";

Severity grade(std::string_view family, const std::vector<RuntimeTwice::Copy>& copies) {
  std::set<std::string_view> kinds;
  for (const RuntimeTwice::Copy& copy : copies) kinds.insert(copy.library.id);
  const auto count = std::ranges::count_if(copies, [](const auto& copy) { return copy.library.id == kmp; });
  if (family == "openmp" && count > 1) return Severity::Error;
  if (family == "openmp" && kinds.size() > 1) return Severity::Warning;
  return family == "cxx-runtime" ? Severity::Warning : Severity::Note;
}

// A runtime as a library of its own, or linked in and visible to others. A private copy of protobuf is harmless, but it
// is listed too. Libraries that are identified with low confidence are ignored.
const IdentifiedLibrary* runtime_in(const ElfAnalysis& analysis, std::string_view family) {
  for (const IdentifiedLibrary& library : analysis.libraries)
    if (library.family == family && (library.itself || library.confidence == Confidence::High)) return &library;
  return nullptr;
}

}  // namespace

std::vector<RuntimeTwice> runtimes(const Installation& installation, std::span<const process::Outcome> outcomes) {
  std::map<std::pair<std::string_view, std::vector<ObjectIndex>>, RuntimeTwice> found;
  for (std::uint32_t load_plan = 0; load_plan < outcomes.size(); ++load_plan) {
    std::map<std::string_view, std::vector<RuntimeTwice::Copy>> copies;
    for (const process::Loaded& each : outcomes[load_plan].loaded) {
      const ElfAnalysis* const analysis = analysis_of(installation, each.file);
      if (analysis == nullptr) continue;
      for (const std::string_view family : families)
        if (const auto* const library = runtime_in(*analysis, family))
          copies[family].push_back({each.file, {library->library, library->name, library->version}});
    }
    for (auto& [family, list] : copies) {
      std::set<DistributionIndex> distributions;
      for (const auto& copy : list) distributions.insert(*distribution_of(installation, copy.object));
      if (distributions.size() < 2) continue;  // within one wheel: reported by WC509 for that wheel
      std::ranges::sort(list, {}, &RuntimeTwice::Copy::object);
      std::vector<ObjectIndex> key;
      for (const auto& copy : list) key.push_back(copy.object);
      RuntimeTwice& entry = found[{family, key}];
      entry.family = family;
      entry.severity = grade(family, list);
      entry.copies = std::move(list);
      entry.load_plans.push_back(load_plan);
    }
  }
  std::vector<RuntimeTwice> out;
  for (auto& [key, entry] : found) out.push_back(std::move(entry));
  std::ranges::stable_sort(out, std::ranges::greater{}, &RuntimeTwice::severity);
  return out;
}

}  // namespace wheelcheck::conflicts
