#include "report/simulation/simulation_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <variant>

#include "base/text.h"
#include "report/shared/text.h"
#include "report/shared/unmet_requirement.h"
#include "report/shared/unreadable.h"
#include "wheelcheck/version.h"

namespace wheelcheck::report {
namespace {

constexpr std::size_t cause_symbols = 5, cause_symbols_width = 60;

void add(std::vector<std::string>& out, std::string_view label, const std::vector<std::string>& levels) {
  if (!levels.empty()) out.push_back(fmt::format("{}: {}", label, escape(join(levels, ", "))));
}

}  // namespace

std::string cause_text(const Requirement& asks) {
  const std::string what = subject_of(asks);
  if (const auto* const version = std::get_if<VersionRequirement>(&asks.what))
    return fmt::format("{} of {}", what, escape(version->library));
  return std::holds_alternative<SymbolRequirement>(asks.what) ? what + ", denied" : what;
}

std::string counts_text(const Simulation& simulation) {
  std::string out =
      fmt::format("{}: {} {}, {} {}", plural(simulation.wheels.size(), "wheel"), simulation.gain,
                  simulation.gain == 1 ? "gains" : "gain", simulation.lose, simulation.lose == 1 ? "loses" : "lose");
  if (simulation.mixed != 0) out += fmt::format(", {} both", simulation.mixed);
  out += fmt::format(", {} as before", simulation.same);
  if (simulation.unreadable != 0) out += fmt::format(", {} not readable", simulation.unreadable);
  if (simulation.lose_claim != 0)
    out += fmt::format("; {} no longer {} a tag that {}", simulation.lose_claim,
                       simulation.lose_claim == 1 ? "keeps" : "keep",
                       simulation.lose_claim == 1 ? "it claims" : "they claim");
  return out;
}

std::vector<std::string> edits_text(const Simulation& simulation) {
  std::vector<std::string> out;
  add(out, "new", simulation.added);
  add(out, "changed", simulation.changed);
  add(out, "gone", simulation.removed);
  if (out.empty()) out.emplace_back("no level differs");
  return out;
}

std::vector<CountedLevel> shifted_levels(const Simulation& simulation) {
  std::set<std::string> level_sets;
  for (const CountedLevel& level : simulation.levels)
    if (level.before != level.after) level_sets.insert(level.policy_levels);
  std::vector<CountedLevel> out;
  std::ranges::copy_if(simulation.levels, std::back_inserter(out),
                       [&](const CountedLevel& level) { return level_sets.contains(level.policy_levels); });
  return out;
}

std::vector<std::string> level_set_texts(const SimulatedWheel& wheel, std::string_view arrow) {
  std::vector<std::string> out;
  for (const SimulatedLevels& policy_levels : wheel.level_sets)
    if (policy_levels.shift != Shift::Same)
      out.push_back(fmt::format("{} {} {}", escape(policy_levels.before), arrow, escape(policy_levels.after)));
  return out;
}

std::vector<std::string> claim_texts(const SimulatedWheel& wheel) {
  std::vector<std::string> out;
  for (const SimulatedClaim& claim : wheel.claims) {
    if (claim.shift == Shift::Loses) out.push_back(fmt::format("is no longer compatible with {}", escape(claim.tag)));
    if (claim.shift == Shift::Gains) out.push_back(fmt::format("is compatible with {} now", escape(claim.tag)));
  }
  return out;
}

std::vector<std::string> cause_texts(const SimulatedWheel& wheel, bool lost) {
  std::vector<std::string> out;
  for (const SimulatedCause& cause : wheel.causes) {
    if (cause.lost != lost) continue;
    std::set<std::string, NaturalLess> symbols;
    if (!std::holds_alternative<SymbolRequirement>(cause.asks.what))
      for (const SimulatedCause::File& file : cause.files)
        for (const std::string& symbol : file.symbols) symbols.insert(escape(symbol));
    const std::vector<std::string> names(symbols.begin(), symbols.end());
    out.push_back(cause_text(cause.asks));
    if (!names.empty()) out.back() += fmt::format(" ({})", first_few(names, cause_symbols, cause_symbols_width));
  }
  return out;
}

std::string symbols_text(const CountedCause& cause) {
  if (std::holds_alternative<SymbolRequirement>(cause.asks.what)) return "";
  std::vector<std::string> names;
  for (const CountedSymbol& symbol : cause.symbols) {
    names.push_back(escape(symbol.name));
    if (symbol.wheels != cause.wheels) names.back() += fmt::format(" ({})", symbol.wheels);
  }
  return names.empty() ? "" : first_few(names, cause_symbols, cause_symbols_width);
}

std::string explained_text(const CountedCause& cause, const Simulation& simulation, bool lost) {
  return fmt::format("{} of {}", cause.explained, (lost ? simulation.lose : simulation.gain) + simulation.mixed);
}

std::string wheel_name(const SimulatedWheel& wheel) {
  return wheel.unreadable ? unreadable_sentence({wheel.path, *wheel.unreadable}) : escape(wheel.file);
}

}  // namespace wheelcheck::report
