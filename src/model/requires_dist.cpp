// Orders the distributions of an installation by dependency.
#include "model/requires_dist.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace wheelcheck {

namespace {

std::string name_of_distribution(const Distribution& distribution) {
  return normal_project_name(name_of_distribution(distribution.facts));
}

// The distributions that an import can rely on: those required on Linux without an extra.
std::vector<Dependency> requirements_of(const Distribution& distribution) {
  std::vector<Dependency> all;
  if (!distribution.facts.metadata) return all;
  for (const std::string& line : distribution.facts.metadata->requires_dist)
    if (Dependency dependency = parse_dependency(line); dependency.for_linux && !dependency.under)
      all.push_back(std::move(dependency));
  return all;
}

}  // namespace

std::string name_of_distribution(const WheelFacts& wheel) {
  if (wheel.metadata && !wheel.metadata->name.empty()) return wheel.metadata->name;
  return wheel.name.distribution.empty() ? wheel.file : wheel.name.distribution;
}

std::string name_in_order(const Installation& installation, const LoadPlan& plan, std::size_t at) {
  if (at == 0 && !plan.module.empty()) return plan.module;
  return name_of_distribution(installation.distributions[plan.order[at].value].facts);
}

std::vector<bool> required_by(const Installation& installation, DistributionIndex distribution) {
  std::map<std::string, std::uint32_t> index;
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i)
    index.emplace(name_of_distribution(installation.distributions[i]), i);
  // `import tensorflow` may find tensorflow-cpu, so a distribution is also found by the name of its project.
  for (std::uint32_t i = 0; i < installation.distributions.size(); ++i)
    if (const auto project = installation.projects.find(name_of_distribution(installation.distributions[i]));
        project != installation.projects.end())
      index.emplace(project->second, i);
  std::vector<bool> required(installation.distributions.size());
  std::vector<std::uint32_t> open{distribution.value};
  while (!open.empty()) {
    const Distribution& from = installation.distributions[open.back()];
    open.pop_back();
    for (const Dependency& dependency : requirements_of(from)) {
      const auto found = index.find(dependency.name);
      if (found == index.end() || required[found->second] || found->second == distribution.value) continue;
      required[found->second] = true;
      open.push_back(found->second);
    }
  }
  return required;
}

std::set<std::string> given_projects(const Installation& installation) {
  std::set<std::string> given;
  for (const Distribution& each : installation.distributions) given.insert(name_of_distribution(each));
  for (const auto& [name, project] : installation.projects) given.insert(project);
  return given;
}

std::vector<Dependency> absent_requirements(const Distribution& distribution, const std::set<std::string>& given) {
  std::vector<Dependency> all = requirements_of(distribution);
  std::erase_if(all, [&](const Dependency& each) { return given.contains(each.name); });
  std::ranges::sort(all, {}, &Dependency::name);
  return all;
}

std::vector<DistributionIndex> requirements_first(const Installation& installation,
                                                  const std::vector<DistributionIndex>& order) {
  std::vector<DistributionIndex> out;
  const auto add = [&](DistributionIndex distribution) {
    if (std::ranges::find(out, distribution) == out.end()) out.push_back(distribution);
  };
  for (const DistributionIndex distribution : order) {
    // All distributions that it requires, ordered by how many distributions each of them requires in turn. A
    // distribution that others depend on requires fewer than they do, so it comes first.
    const std::vector<bool> required = required_by(installation, distribution);
    std::vector<DistributionIndex> before;
    for (const DistributionIndex other : order)
      if (required[other.value]) before.push_back(other);
    std::ranges::stable_sort(before, {}, [&](DistributionIndex other) {
      return std::ranges::count(required_by(installation, other), true);
    });
    std::ranges::for_each(before, add);
    add(distribution);
  }
  return out;
}

}  // namespace wheelcheck
