// One wheel under the old and under the new levels.
#pragma once

#include <compare>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/policy.h"
#include "wheelcheck/simulation.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::simulate_levels {

struct Side {
  std::vector<Assessment> assessments;
  Verdict verdict;
};
// What levels are for, whose name does not say it: "our_servers" -> 2.28.
using OwnLevels = std::map<std::string, Version, std::less<>>;

SimulatedWheel compare(const WheelFacts& wheel, const Side& before, const Side& after, const OwnLevels& own);

// Without facts of a wheel that another row has told of: those of a cache begin with the wheel's SHA-256, and runs with
// other limits keep them twice. A row that could not be read gives way to one that could.
std::vector<SimulatedWheel> without_repetitions(std::vector<SimulatedWheel> wheels);
// Fills in all that is counted over the wheels.
void count(Simulation& simulation);

// What is asked, as a key: the same however many files ask for it.

struct CauseKey {
  std::size_t kind = 0;
  std::string library, what;

  auto operator<=>(const CauseKey&) const = default;
};
CauseKey key_of(const Requirement& requirement);
// Of a version node its imports; of a denied symbol itself.
std::vector<std::string> symbols_of(const Requirement& requirement);

}  // namespace wheelcheck::simulate_levels
