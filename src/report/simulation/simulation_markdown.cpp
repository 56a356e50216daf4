// A simulation as tables for a PEP or a pull request.
#include <fmt/format.h>

#include "base/text.h"
#include "report/shared/markup.h"
#include "report/shared/text.h"
#include "report/simulation/simulation.h"
#include "report/simulation/simulation_words.h"

namespace wheelcheck::report {
namespace {

std::string levels_table(const Simulation& simulation) {
  const std::vector<CountedLevel> levels = shifted_levels(simulation);
  std::string out = "\n### Tightest tags\n\n| levels | tag | before | after |\n|---|---|---:|---:|\n";
  for (const CountedLevel& level : levels)
    out += fmt::format("| {} | {} | {} | {} |\n", markdown(level.policy_levels), markdown_code(level.tag), level.before,
                       level.after);
  return levels.empty() ? "" : out;
}

std::string causes_table(const Simulation& simulation, bool lost) {
  const std::vector<CountedCause>& causes = lost ? simulation.losses : simulation.gains;
  if (causes.empty()) return "";
  std::string out = fmt::format(
      "\n### Refused by the {} levels\n\n| required | wheels | files | explained so far | symbols |\n"
      "|---|---:|---:|---:|---|\n",
      lost ? "new" : "old");
  for (const CountedCause& cause : causes) {
    const std::string symbols = symbols_text(cause);
    out += fmt::format("| {} | {} | {} | {} | {} |\n", markdown_code_shown(cause_text(cause.asks)), cause.wheels,
                       cause.files, explained_text(cause, simulation, lost),
                       symbols.empty() ? "" : markdown_code_shown(symbols));
  }
  return out;
}

std::string table_cell(const std::vector<std::string>& texts) {
  std::vector<std::string> shown;
  for (const std::string& text : texts) shown.push_back(markdown_shown(text));
  return join(shown, "<br>");
}

std::string wheels_table(const Simulation& simulation) {
  if (simulation.gain + simulation.lose + simulation.mixed == 0) return "";
  std::string out = "\n### Wheels\n\n| | wheel | tightest tag | claims | refused |\n|---|---|---|---|---|\n";
  for (const Shift shift : {Shift::Loses, Shift::Mixed, Shift::Gains})
    for (const SimulatedWheel& wheel : simulation.wheels) {
      if (wheel.unreadable || wheel.shift != shift) continue;
      std::vector<std::string> causes;
      for (const bool lost : {true, false})
        for (const std::string& text : cause_texts(wheel, lost))
          causes.push_back(fmt::format("{} {}", lost ? "now" : "was", text));
      out += fmt::format("| {} | {} | {} | {} | {} |\n", name_of(shift), markdown_code_shown(wheel_name(wheel)),
                         table_cell(level_set_texts(wheel, "→")), table_cell(claim_texts(wheel)), table_cell(causes));
    }
  return out;
}

}  // namespace

std::string render_simulation_markdown(const Simulation& simulation) {
  std::string out = fmt::format("{}.\n", markdown_shown(counts_text(simulation)));
  for (const std::string& edit : edits_text(simulation)) out += fmt::format("\n- {}", markdown_shown(edit));
  out += "\n" + levels_table(simulation) + causes_table(simulation, true) + causes_table(simulation, false) +
         wheels_table(simulation);
  if (simulation.unreadable == 0) return out;
  out += "\n### Not readable\n\n";
  for (const SimulatedWheel& wheel : simulation.wheels)
    if (wheel.unreadable) out += fmt::format("- {}\n", markdown_shown(wheel_name(wheel)));
  return out;
}

}  // namespace wheelcheck::report
