// The pipeline of `policy simulate`: reads each wheel once, judges it by the old and by the new levels, compares and
// counts. Analysis and rules are not run, because only the levels matter.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/parallel.h"
#include "base/text.h"
#include "knowledge/tables.h"
#include "policy/assess.h"
#include "simulate/compare.h"
#include "verdict/judge.h"
#include "wheelcheck/policies.h"
#include "wheelcheck/simulation.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {
namespace {

struct Sets {
  PolicySet before, after;
  simulate_levels::OwnLevels own;
};

const policy::Level* find(const std::vector<policy::Level>& levels, const std::string& name) {
  const auto at = std::ranges::find(levels, name, &policy::Level::name);
  return at == levels.end() ? nullptr : &*at;
}

bool differ(const policy::Level& a, const policy::Level& b) {
  return a.libc != b.libc || !compare_levels(a, b).architectures.empty();
}

// Loads both sets of levels and determines which levels are new, changed and removed.
Result<Sets> load(const SimulationRequest& request, Simulation& simulation) {
  const auto before = load_levels(request.against), after = load_levels(request.policies);
  if (!before) return std::unexpected(before.error());
  if (!after) return std::unexpected(after.error());
  Sets sets;
  for (const policy::Level& level : *after) {
    const policy::Level* const old = find(*before, level.name);
    if (old == nullptr)
      simulation.added.push_back(level.name);
    else if (differ(*old, level))
      simulation.changed.push_back(level.name);
    sets.own[level.name] = level.libc;
  }
  for (const policy::Level& level : *before) {
    if (find(*after, level.name) == nullptr) simulation.removed.push_back(level.name);
    sets.own.emplace(level.name, level.libc);
  }
  auto old_set = load_policies(request.against), new_set = load_policies(request.policies);
  if (!old_set) return std::unexpected(old_set.error());
  if (!new_set) return std::unexpected(new_set.error());
  sets.before = std::move(*old_set);
  sets.after = std::move(*new_set);
  return sets;
}

simulate_levels::Side judge(const WheelFacts& wheel, const Resolution& resolution, const PolicySet& policies) {
  simulate_levels::Side side;
  side.assessments = policy::assess_claims_or_content(wheel, resolution, {}, policies);
  side.verdict = verdict::judge(wheel, side.assessments);
  return side;
}

SimulatedWheel simulate_one(const OpenedInput& input, const Settings& settings, unsigned jobs, const Sets& sets,
                            const Knowledge& knowledge) {
  Progress progress;
  if (settings.progress)
    progress = [&](std::uint64_t done, std::uint64_t total) { settings.progress(input.path, done, total); };
  const auto wheel = read_any(input, settings, jobs, progress);
  if (!wheel) {
    SimulatedWheel out;
    out.path = input.path;
    out.unreadable = wheel.error();
    return out;
  }
  Resolution resolution = resolve(*wheel, {}, settings.external);
  if (!settings.rules.self_contained)
    mark_required(resolution, *wheel, knowledge, [&] { return manylinux_libraries(sets.before); });
  SimulatedWheel out = simulate_levels::compare(*wheel, judge(*wheel, resolution, sets.before),
                                                judge(*wheel, resolution, sets.after), sets.own);
  out.path = input.path;
  return out;
}

}  // namespace

Result<Simulation> simulate(const SimulationRequest& request, const Settings& settings) {
  Simulation simulation;
  simulation.version = version();
  const auto sets = load(request, simulation);
  if (!sets) return std::unexpected(sets.error());
  std::vector<std::string> paths;
  for (const SimulationInput& input : request.inputs)
    if (input.problem.empty()) paths.push_back(input.path);
  const auto knowledge = knowledge::shared_knowledge(settings.knowledge);
  if (!knowledge) return std::unexpected(knowledge.error());
  auto opened = open_inputs(paths, settings);
  if (!opened) return std::unexpected(opened.error());
  std::vector<SimulatedWheel> read(opened->size());
  const bool thread_per_wheel = opened->size() >= std::size_t{2} * settings.jobs;
  parallel_for(opened->size(), thread_per_wheel ? settings.jobs : 1, [&](std::size_t i) {
    const OpenedInput input = std::exchange((*opened)[i], {});  // closes it after reading
    read[i] = simulate_one(input, settings, thread_per_wheel ? 1 : settings.jobs, *sets, **knowledge);
  });
  std::vector<SimulatedWheel> rows;
  std::size_t next = 0;
  for (const SimulationInput& input : request.inputs) {
    if (input.problem.empty()) {
      rows.push_back(std::move(read[next++]));
      continue;
    }
    SimulatedWheel& row = rows.emplace_back();
    row.path = input.path;
    row.unreadable = Error{ErrorCode::NotFound, fmt::format("{}: {}", escape(input.path), input.problem)};
  }
  simulation.wheels = simulate_levels::without_repetitions(std::move(rows));
  simulate_levels::count(simulation);
  return simulation;
}

}  // namespace wheelcheck
