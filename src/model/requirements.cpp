#include "model/requirements.h"

#include <algorithm>
#include <map>
#include <string>

#include "model/dependency.h"

namespace wheelcheck {
namespace {

std::string name_of_party(const Party& party) { return normal_project_name(name_of_distribution(party.facts)); }

// Names that an import of the distribution may rely on: what is required without an extra, on Linux.
std::vector<std::string> required_names(const Party& party) {
  std::vector<std::string> names;
  if (!party.facts.metadata) return names;
  for (const std::string& line : party.facts.metadata->requires_dist) {
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

std::vector<bool> required_by(const Installation& installation, PartyIndex party) {
  std::map<std::string, std::uint32_t> index;
  for (std::uint32_t i = 0; i < installation.parties.size(); ++i)
    index.emplace(name_of_party(installation.parties[i]), i);
  // tensorflow-cpu is what an import of tensorflow finds.
  for (std::uint32_t i = 0; i < installation.parties.size(); ++i)
    if (const auto project = installation.projects.find(name_of_party(installation.parties[i]));
        project != installation.projects.end())
      index.emplace(project->second, i);
  std::vector<bool> required(installation.parties.size());
  std::vector<std::uint32_t> open{party.value};
  while (!open.empty()) {
    const Party& from = installation.parties[open.back()];
    open.pop_back();
    for (const std::string& name : required_names(from)) {
      const auto found = index.find(name);
      if (found == index.end() || required[found->second] || found->second == party.value) continue;
      required[found->second] = true;
      open.push_back(found->second);
    }
  }
  return required;
}

std::vector<PartyIndex> requirements_first(const Installation& installation, const std::vector<PartyIndex>& order) {
  std::vector<PartyIndex> out;
  const auto add = [&](PartyIndex party) {
    if (std::ranges::find(out, party) == out.end()) out.push_back(party);
  };
  for (const PartyIndex party : order) {
    // All that it requires, ordered among themselves by who requires more: no chain is longer than its head.
    const std::vector<bool> required = required_by(installation, party);
    std::vector<PartyIndex> before;
    for (const PartyIndex other : order)
      if (required[other.value]) before.push_back(other);
    std::ranges::stable_sort(
        before, {}, [&](PartyIndex other) { return std::ranges::count(required_by(installation, other), true); });
    std::ranges::for_each(before, add);
    add(party);
  }
  return out;
}

}  // namespace wheelcheck
