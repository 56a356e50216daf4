// Orders the distributions of an installation by dependency.
#include "model/requires_dist.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace wheelcheck {

namespace {

std::string name_of_distribution(const Distribution& distribution) {
  return normal_project_name(name_of_distribution(distribution.facts));
}

// Names of the distributions that an import can rely on: those required on Linux without an extra.
std::vector<std::string> required_names(const Distribution& distribution) {
  std::vector<std::string> names;
  if (!distribution.facts.metadata) return names;
  for (const std::string& line : distribution.facts.metadata->requires_dist) {
    const Dependency dependency = parse_dependency(line);
    if (dependency.for_linux && !dependency.under) names.push_back(dependency.name);
  }
  return names;
}

}  // namespace

std::string name_of_distribution(const WheelFacts& wheel) {
  if (wheel.metadata && !wheel.metadata->name.empty()) return wheel.metadata->name;
  return wheel.name.distribution.empty() ? wheel.file : wheel.name.distribution;
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
    for (const std::string& name : required_names(from)) {
      const auto found = index.find(name);
      if (found == index.end() || required[found->second] || found->second == distribution.value) continue;
      required[found->second] = true;
      open.push_back(found->second);
    }
  }
  return required;
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
