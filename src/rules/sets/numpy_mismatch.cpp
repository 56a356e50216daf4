// WC547: the modules of a wheel refuse the NumPy that is installed with it, or crash with it.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "model/import_checks.h"
#include "model/requires_dist.h"
#include "rules/sets/set_common.h"
#include "wheelcheck/version.h"

namespace wheelcheck::rules::numpy_mismatch {
namespace {

struct Imports {
  const PlannedOpen* with_check = nullptr;  // the first that is certain and opens a module with the check
  bool certain = false;                     // an import of another module is certain
};
Imports imports_of(const Conflicts& conflicts, DistributionIndex distribution) {
  const Installation& all = conflicts.installation;
  Imports out;
  for (const LoadPlan& load_plan : conflicts.load_plans)
    for (const auto& step : load_plan.opens)
      for (const PlannedOpen& open : step) {
        if (open.distribution != distribution || open.maybe || open.module.empty() || !open.object) continue;
        const Origin& origin = all.origins[open.object->value];
        // Another distribution can have a file of the same path, which is used instead.
        if (origin.kind != Origin::Kind::Distribution || origin.distribution != distribution) continue;
        out.certain = true;
        if (numpy_check(all.distributions[distribution.value].facts.elfs[origin.elf.value].facts)) {
          out.with_check = &open;
          return out;
        }
      }
  return out;
}

void report(const Conflicts& conflicts, DistributionIndex user, DistributionIndex numpy, const NumpyDemand& demand,
            bool too_old, bool in_libraries, const Emit& emit) {
  const Installation& all = conflicts.installation;
  const WheelFacts& wheel = all.distributions[user.value].facts;
  const Imports imports = imports_of(conflicts, user);
  // A package that imports none of its modules by a constant name (cv2) has no other ones.
  const bool certain = !in_libraries && (imports.with_check != nullptr || !imports.certain);
  const std::string limit = too_old ? fmt::format(">={}", demand.minimum) : "<2";
  const std::string subject = imports.with_check != nullptr ? what_fails(all, *imports.with_check)
                                                            : fmt::format("import of {}", name_of(all, user));
  std::vector<Evidence> evidence{
      {"effect",
       fmt::format("{} fails, or its functions that use NumPy: its {} were compiled for NumPy {}, and refuse {}",
                   subject, in_libraries ? "libraries" : "modules",
                   too_old ? fmt::format("{} or newer", demand.minimum) : "1", name_and_version(all, numpy))},
      {"message", std::string(demand.message)},
      {"files", fmt::format("{} with that check", demand.files)}};
  if (const auto line = requirement_on(all, user, numpy)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{wheel.members[wheel.elfs[demand.file.value].member.value].path.text()},
        .message = fmt::format("{} refuses {}", name_and_version(all, user), name_and_version(all, numpy)),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install 'numpy{}', or a version of {} that was compiled for {}", limit,
                           name_of(all, user), name_and_version(all, numpy)),
        .severity = certain ? Severity::Error : Severity::Warning,
        .confidence = {}});
}

void report_crash(const Installation& all, DistributionIndex user, DistributionIndex numpy, const NumpyDemand& demand,
                  const Emit& emit) {
  const WheelFacts& wheel = all.distributions[user.value].facts;
  std::vector<Evidence> evidence{{"imports", std::string(demand.message)},
                                 {"files", fmt::format("{} with that import", demand.files)}};
  if (const auto line = requirement_on(all, user, numpy)) evidence.push_back({"Requires-Dist", std::string(*line)});
  emit({.place = AtPath{wheel.members[wheel.elfs[demand.file.value].member.value].path.text()},
        .message =
            fmt::format("functions of {} with arrays may crash: it was compiled with a pybind11 before 2.12, which "
                        "knows only NumPy 1, and {} is here",
                        name_and_version(all, user), name_and_version(all, numpy)),
        .evidence = std::move(evidence),
        .fix = fmt::format("pip install 'numpy<2', or a version of {} that was compiled for {}", name_of(all, user),
                           name_and_version(all, numpy)),
        .severity = Severity::Warning,
        .confidence = Confidence::Medium});
}

void check_set(const SetView& view, const Emit& emit) {
  const auto& distributions = view.conflicts.installation.distributions;
  const auto numpy = std::ranges::find(distributions, "numpy", [](const Distribution& each) {
    return normal_project_name(name_of_distribution(each.facts));
  });
  if (numpy == distributions.end()) return;
  const std::string version = version_of(numpy->facts);
  const DistributionIndex provider{static_cast<std::uint32_t>(numpy - distributions.begin())};
  for (std::uint32_t i = 0; i < distributions.size() && !version.empty(); ++i) {
    if (DistributionIndex{i} == provider) continue;
    if (natural_order(version, "2") >= 0)
      if (const auto old = pybind11_demand(distributions[i].facts))
        report_crash(view.conflicts.installation, {i}, provider, *old, emit);
    auto demand = numpy_demand(distributions[i].facts);
    const bool in_libraries = !demand;
    if (in_libraries) demand = numpy_demand(distributions[i].facts, true);
    if (!demand || demand->by_size) continue;  // WC548 compares the sizes with those of this NumPy
    const bool too_old = !demand->minimum.empty() && natural_order(version, demand->minimum) < 0;
    if (too_old || (demand->refuses_2 && natural_order(version, "2") >= 0))
      report(view.conflicts, {i}, provider, *demand, too_old, in_libraries, emit);
  }
}

}  // namespace

extern const Rule rule{
    .code = "WC547",
    .name = "numpy-mismatch",
    .severity = Severity::Error,
    .check_set = check_set,
};

}  // namespace wheelcheck::rules::numpy_mismatch
