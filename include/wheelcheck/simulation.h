// The simulation of policy changes: how new or changed levels affect a collection of wheels. Authors of policies use it
// before they publish a level. The result owns its data. Names are as written in the wheels; renderers escape them.
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

// The direction of a change. Gains: an older level than before, or a claim that becomes compatible. Mixed: gains and
// losses.
enum class Shift { Same, Gains, Loses, Mixed };
std::string_view name_of(Shift shift);  // "gains"

// The result for one policy family on one machine.
struct SimulatedLevels {
  std::string policy_levels;  // "manylinux x86_64"
  std::string before, after;  // the lowest compatible tag; "" if these levels have no such policy family
  Shift shift = Shift::Same;  // never Mixed
};
// The result for one claimed tag.
struct SimulatedClaim {
  std::string tag;
  TagResult before = TagResult::Unknown, after = TagResult::Unknown;
  Shift shift = Shift::Same;
};
// A requirement that causes a change, and the files that have it.
struct SimulatedCause {
  Requirement required;  // of one of the files
  bool lost = false;     // the new levels do not meet it, but the old ones do; false: the other way round
  struct File {
    std::string path;
    std::vector<std::string> symbols;  // of a version node, or the denied symbol
  };
  std::vector<File> files;
};
struct SimulatedWheel {
  // The result for one wheel.
  std::string path, file;
  std::optional<Error> unreadable;                   // if set, the members below are empty
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
// The sum of one cause over all wheels.
struct CountedCause {
  Requirement required;
  std::vector<CountedSymbol> symbols;  // the symbol of most wheels first
  std::size_t wheels = 0, files = 0;
  std::size_t explained = 0;  // number of wheels whose causes are all in the list up to this one
};
struct CountedLevel {
  // How many wheels have a tag as their lowest compatible tag.
  std::string policy_levels, tag;
  std::size_t before = 0, after = 0;  // numbers of wheels
};
// The result for all inputs.
struct Simulation {
  std::string version;                               // of wheelcheck
  std::vector<std::string> added, changed, removed;  // names of levels
  // One per input, in order, without duplicates.
  std::vector<SimulatedWheel> wheels;
  std::size_t same = 0, gain = 0, lose = 0, mixed = 0, unreadable = 0, lose_claim = 0;
  // Sorted so that the first entries explain as many wheels as possible (greedy).
  std::vector<CountedCause> losses, gains;
  std::vector<CountedLevel> levels;  // by policy family; oldest first, `linux` last
};

struct SimulationInput {
  std::string path;
  std::string problem = {};  // empty: read `path`; otherwise the reason why it is not read
};
struct SimulationRequest {
  std::vector<SimulationInput> inputs;  // wheels, unpacked wheels, facts files
  std::vector<std::string> policies;    // files that add to or replace the built-in levels: the state after the change
  std::vector<std::string> against;     // the same for the state before the change; empty: the built-in levels
};
// Reads every input once and judges it twice, with the same code as check(). Settings::policies is not used. Facts
// files of the same wheel count once. Errors: as load_policies and load_knowledge; an input that cannot be read is a
// row with `unreadable`.
Result<Simulation> simulate(const SimulationRequest& request, const Settings& settings);

}  // namespace wheelcheck
