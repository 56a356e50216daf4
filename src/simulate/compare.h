// Compares one wheel under the old and under the new levels, and counts the results over all wheels. Authors of a
// policy use it to see which wheels a change affects.
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
// The libc version of levels whose name does not contain it: "our_servers" -> 2.28.
using OwnLevels = std::map<std::string, Version, std::less<>>;

SimulatedWheel compare(const WheelFacts& wheel, const Side& before, const Side& after, const OwnLevels& own);

// Removes repeated wheels. A cache can contain the facts of one wheel twice, for runs with different limits; its file
// names begin with the wheel's SHA-256. A row that was read replaces one that could not be.
std::vector<SimulatedWheel> without_repetitions(std::vector<SimulatedWheel> wheels);
// Computes all totals over the wheels.
void count(Simulation& simulation);

// A requirement as a key: equal for the same requirement of different files.

struct CauseKey {
  std::size_t kind = 0;
  std::string library, what;

  auto operator<=>(const CauseKey&) const = default;
};
CauseKey key_of(const Requirement& requirement);
// For a version node, the imports with it; for a denied symbol, the symbol itself.
std::vector<std::string> symbols_of(const Requirement& requirement);

}  // namespace wheelcheck::simulate_levels
