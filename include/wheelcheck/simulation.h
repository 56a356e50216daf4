// What new or changed levels would do to a corpus of wheels: data for whoever writes a policy. Made of copies; names
// are as they stand in the wheels, never escaped.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/policy.h"
#include "wheelcheck/result.h"
#include "wheelcheck/verdict.h"

namespace wheelcheck {

struct Settings;

// Gains: an older level than before, or a claim that is kept now. Mixed: both gains and losses.
enum class Shift { Same, Gains, Loses, Mixed };
std::string_view name_of(Shift shift);  // "gains"

// One C library on one machine.
struct SimulatedLevels {
  std::string policy_levels;  // "manylinux x86_64"
  std::string before, after;  // the tightest tag; "" where these levels have no such policy family
  Shift shift = Shift::Same;  // never Mixed
};
struct SimulatedClaim {
  std::string tag;
  TagResult before = TagResult::Unknown, after = TagResult::Unknown;
  Shift shift = Shift::Same;
};
// Something that is asked of the system, and who asks.
struct SimulatedCause {
  Requirement required;  // of one of the files
  bool lost = false;     // the new levels refuse what the old gave; else the other way round
  struct File {
    std::string path;
    std::vector<std::string> symbols;  // of a version node, or the one that is denied
  };
  std::vector<File> files;
};
struct SimulatedWheel {
  std::string path, file;
  std::optional<Error> unreadable;                   // then nothing else is told
  std::vector<std::string> best_before, best_after;  // as Verdict::best_tags
  std::vector<SimulatedLevels> level_sets;
  std::vector<SimulatedClaim> claims;
  Shift shift = Shift::Same;
  bool loses_claim = false;
  std::vector<SimulatedCause> causes;
};

struct CountedSymbol {
  std::string name;
  std::size_t wheels = 0, files = 0;
};
// The same cause over all wheels.
struct CountedCause {
  Requirement required;
  std::vector<CountedSymbol> symbols;  // in most wheels first
  std::size_t wheels = 0, files = 0;
  std::size_t explained = 0;  // wheels of which all causes are this one and those before it
};
struct CountedLevel {
  std::string policy_levels, tag;
  std::size_t before = 0, after = 0;  // wheels that it is the tightest tag of
};
struct Simulation {
  std::string version;                               // of wheelcheck
  std::vector<std::string> added, changed, removed;  // levels, by name
  std::vector<SimulatedWheel> wheels;                // one an input, in order, but for repetitions
  std::size_t same = 0, gain = 0, lose = 0, mixed = 0, unreadable = 0, lose_claim = 0;
  std::vector<CountedCause> losses, gains;  // those first that, with the ones before, explain most wheels
  std::vector<CountedLevel> levels;         // by policy family; oldest first, `linux` last
};

struct SimulationInput {
  std::string path;
  std::string problem = {};  // empty: read `path`
};
struct SimulationRequest {
  std::vector<SimulationInput> inputs;  // wheels, unpacked ones, kept facts
  std::vector<std::string> policies;    // files that add to or replace the built-in levels: after
  std::vector<std::string> against;     // the same: before; none: the built-in levels alone
};
// Reads every input once and judges it twice, by the same code as check(). Settings::policies is not looked at. Kept
// facts of one wheel that lie there more than once count once.
Result<Simulation> simulate(const SimulationRequest& request, const Settings& settings);

}  // namespace wheelcheck
