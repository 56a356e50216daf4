// Totals over all wheels: which wheels gain and lose, and the few requirements that cause it.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "base/text.h"
#include "simulate/compare.h"
#include "wheelcheck/version.h"

namespace wheelcheck::simulate_levels {
namespace {

// The SHA-256 at the start of a cache file's name; else nothing.
std::string_view digest_of(std::string_view path) {
  constexpr std::size_t digits = 64;
  const std::string_view name = base_name(path);
  const bool has_digest = name.size() > digits && name[digits] == '-' && name.ends_with(".jsonl.gz") &&
                          std::ranges::all_of(name.substr(0, digits), is_lower_hex);
  return has_digest ? name.substr(0, digits) : std::string_view();
}

struct RequirementGroup {
  const Requirement* required = nullptr;
  // name -> its wheels and its number of files
  std::map<std::string, std::pair<std::set<std::size_t>, std::size_t>, NaturalLess> symbols;
  std::set<std::size_t> wheels;
  std::size_t files = 0;
};
using Groups = std::map<CauseKey, RequirementGroup>;

Groups grouped(const std::vector<SimulatedWheel>& wheels, bool lost) {
  Groups groups;
  for (std::size_t i = 0; i < wheels.size(); ++i) {
    for (const SimulatedCause& cause : wheels[i].causes) {
      if (cause.lost != lost) continue;
      RequirementGroup& group = groups[key_of(cause.required)];
      group.required = &cause.required;
      group.wheels.insert(i);
      group.files += cause.files.size();
      for (const SimulatedCause::File& file : cause.files)
        for (const std::string& symbol : file.symbols) {
          auto& [of, files] = group.symbols[symbol];
          of.insert(i);
          ++files;
        }
    }
  }
  return groups;
}

CountedCause counted(const RequirementGroup& group) {
  CountedCause out{.required = *group.required, .symbols = {}, .wheels = group.wheels.size(), .files = group.files};
  for (const auto& [name, of] : group.symbols) out.symbols.push_back({name, of.first.size(), of.second});
  std::ranges::stable_sort(out.symbols, [](const CountedSymbol& a, const CountedSymbol& b) {
    return std::pair(a.wheels, a.files) > std::pair(b.wheels, b.files);
  });
  return out;
}

// Sorts the causes with a greedy set cover, in which a wheel is explained when all of its causes are listed. The next
// cause is the one that explains most further wheels; among equals, the one that most unexplained wheels have; then the
// one that occurs together with the fewest other causes.
std::vector<CountedCause> ranked(const std::vector<SimulatedWheel>& wheels, bool lost) {
  const Groups groups = grouped(wheels, lost);
  std::vector<const RequirementGroup*> left;
  for (const auto& [key, group] : groups) left.push_back(&group);
  std::map<std::size_t, std::size_t> open;  // wheel -> number of causes that are not listed yet
  for (const RequirementGroup* const group : left)
    for (const std::size_t wheel : group->wheels) ++open[wheel];
  std::vector<CountedCause> out;
  std::size_t explained = 0;
  while (!left.empty()) {
    const auto worth = [&](const RequirementGroup* group) {
      std::size_t whole = 0, part = 0;
      for (const std::size_t wheel : group->wheels) {
        whole += open[wheel] == 1 ? 1u : 0u;
        part += open[wheel] > 0 ? 1u : 0u;
      }
      return std::tuple(whole, part, group->files);
    };
    const auto best = std::ranges::max_element(left, {}, worth);
    const RequirementGroup& group = **best;
    for (const std::size_t wheel : group.wheels)
      if (--open[wheel] == 0) ++explained;
    out.push_back(counted(group));
    out.back().explained = explained;
    left.erase(best);
  }
  return out;
}

void count_levels(Simulation& simulation) {
  struct Less {
    bool operator()(const std::pair<std::string, std::string>& a, const std::pair<std::string, std::string>& b) const {
      if (a.first != b.first) return natural_order(a.first, b.first) < 0;
      const bool first = a.second.starts_with("linux_"), second = b.second.starts_with("linux_");
      return first != second ? second : natural_order(a.second, b.second) < 0;
    }
  };
  std::map<std::pair<std::string, std::string>, std::pair<std::size_t, std::size_t>, Less> levels;
  for (const SimulatedWheel& wheel : simulation.wheels)
    for (const SimulatedLevels& policy_levels : wheel.level_sets) {
      if (!policy_levels.before.empty()) ++levels[{policy_levels.policy_levels, policy_levels.before}].first;
      if (!policy_levels.after.empty()) ++levels[{policy_levels.policy_levels, policy_levels.after}].second;
    }
  for (const auto& [key, counts] : levels)
    simulation.levels.push_back({key.first, key.second, counts.first, counts.second});
}

}  // namespace

std::vector<SimulatedWheel> without_repetitions(std::vector<SimulatedWheel> wheels) {
  std::map<std::string, std::size_t, std::less<>> kept;  // digest -> index of its row
  std::vector<SimulatedWheel> out;
  for (SimulatedWheel& wheel : wheels) {
    const std::string digest(digest_of(wheel.path));
    const auto [at, is_new] = digest.empty() ? std::pair(kept.end(), true) : kept.try_emplace(digest, out.size());
    if (is_new)
      out.push_back(std::move(wheel));
    else if (out[at->second].unreadable && !wheel.unreadable)
      out[at->second] = std::move(wheel);
  }
  return out;
}

void count(Simulation& simulation) {
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (wheel.unreadable) {
      ++simulation.unreadable;
      continue;
    }
    simulation.lose_claim += wheel.loses_claim ? 1u : 0u;
    ++(wheel.shift == Shift::Same    ? simulation.same
       : wheel.shift == Shift::Gains ? simulation.gain
       : wheel.shift == Shift::Loses ? simulation.lose
                                     : simulation.mixed);
  }
  simulation.losses = ranked(simulation.wheels, true);
  simulation.gains = ranked(simulation.wheels, false);
  count_levels(simulation);
}

}  // namespace wheelcheck::simulate_levels
