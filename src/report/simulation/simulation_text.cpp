// A simulation to be read on a terminal: the sums first, then the wheels that shift.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "report/shared/text.h"
#include "report/simulation/simulation.h"
#include "report/simulation/simulation_words.h"

namespace wheelcheck::report {
namespace {

std::string head_of(const CountedLevel& level) { return "tightest tag, " + level.policy_levels; }

std::string levels_text(const Simulation& simulation) {
  const std::vector<CountedLevel> levels = shifted_levels(simulation);
  std::size_t width = 0;
  for (const CountedLevel& level : levels)
    width = std::max({width, columns(escape(level.tag)), columns(head_of(level))});
  std::string out, policy_levels;
  for (const CountedLevel& level : levels) {
    if (level.policy_levels != policy_levels)
      out += fmt::format("\n{}  before  after\n", padded(head_of(level), width + 2));
    policy_levels = level.policy_levels;
    out += fmt::format("  {}  {:>6}  {:>5}{}\n", padded(escape(level.tag), width), level.before, level.after,
                       level.before == level.after ? "" : "  *");
  }
  return out;
}

std::string causes_text(const Simulation& simulation, bool lost) {
  const std::vector<CountedCause>& causes = lost ? simulation.losses : simulation.gains;
  if (causes.empty()) return "";
  std::size_t width = 0;
  for (const CountedCause& cause : causes) width = std::max(width, columns(cause_text(cause.asks)));
  const std::string head = lost ? "refused by the new levels" : "refused by the old levels";
  width = std::max(std::min<std::size_t>(width, 50), columns(head));
  std::string out = fmt::format("\n{}  wheels  files  explain\n", padded(head, width + 2));
  for (const CountedCause& cause : causes) {
    const std::string start = fmt::format("  {}  {:>6}  {:>5}  {:>7}  ", padded(cause_text(cause.asks), width),
                                          cause.wheels, cause.files, explained_text(cause, simulation, lost));
    std::string line = start + wrapped(symbols_text(cause), columns(start), columns(start));
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  return out;
}

std::string wheels_text(const Simulation& simulation, Shift shift, const Paint& paint) {
  std::string out;
  for (const SimulatedWheel& wheel : simulation.wheels) {
    if (wheel.unreadable || wheel.shift != shift) continue;
    const std::string word(name_of(shift));
    out += fmt::format("\n{} {}\n", shift == Shift::Gains ? paint.green(word) : paint.red(word),
                       paint.bold(wheel_name(wheel)));
    for (const auto& list : {level_set_texts(wheel, "->"), claim_texts(wheel)})
      for (const std::string& text : list) out += fmt::format("  {}\n", wrapped(text, 2, 4));
    for (const bool lost : {true, false})
      if (const std::vector<std::string> texts = cause_texts(wheel, lost); !texts.empty())
        out += fmt::format(
            "  {}\n", wrapped(fmt::format("{} {}", lost ? "now refused:" : "was refused:", join(texts, ", ")), 2, 4));
  }
  return out;
}

}  // namespace

std::string render_simulation_text(const Simulation& simulation, bool colour) {
  const Paint paint(colour);
  std::string out = counts_text(simulation) + "\n";
  for (const std::string& edit : edits_text(simulation)) out += wrapped(edit, 0, 2) + "\n";
  out += levels_text(simulation) + causes_text(simulation, true) + causes_text(simulation, false);
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains}) out += wheels_text(simulation, shift, paint);
  for (const SimulatedWheel& wheel : simulation.wheels)
    if (wheel.unreadable) out += fmt::format("\n{} {}\n", paint.red("not readable"), wheel_name(wheel));
  return out;
}

}  // namespace wheelcheck::report
