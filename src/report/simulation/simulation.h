// The output of `wheelcheck policy simulate`: which wheels gain a better tag under new levels, which lose one, and
// which symbols cause it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/shared/text.h"
#include "wheelcheck/simulation.h"

namespace wheelcheck::report {

struct SimulationTextOptions {
  Paint paint = {};
  bool fail_on_loss = false;
};
std::string render_simulation_text(const Simulation& simulation, const SimulationTextOptions& options);
std::string render_simulation_json(const Simulation& simulation);      // docs/simulation.schema.json
std::string render_simulation_markdown(const Simulation& simulation);  // for a PEP or a pull request
std::string render_simulation_html(const Simulation& simulation);      // one page, with a plot

// Sentences and rows that all formats of a simulation share.
// GLIBC_2.28 of libc.so.6; libexpat.so.1; gzgetc_ of libz.so.1, denied. Escaped.
std::string cause_text(const Requirement& required);
// "39 wheels: 2 gain, 1 loses, 36 as before"
std::string counts_text(const Simulation& simulation);
// "new: manylinux_2_42", "changed: ...", "removed: ...". If no level differs, one text that says so.
std::vector<std::string> edits_text(const Simulation& simulation);
// The levels that are the best tag of more or fewer wheels than before.
std::vector<CountedLevel> shifted_levels(const Simulation& simulation);
// "manylinux_2_28_x86_64 -> manylinux_2_17_x86_64" for each policy family whose best level changes.
std::vector<std::string> level_set_texts(const SimulatedWheel& wheel, std::string_view arrow);
// The claims whose result changes, one text each.
std::vector<std::string> claim_texts(const SimulatedWheel& wheel);
// The causes of one direction, each with its symbols: "GLIBC_2.28 of libc.so.6 (fcntl64)".
std::vector<std::string> cause_texts(const SimulatedWheel& wheel, bool lost);
// The first few symbols of a cause, or "".
std::string symbols_text(const CountedCause& cause);
// "3 of 5": the wheels that this cause and those before it explain.
std::string explained_text(const CountedCause& cause, const Simulation& simulation, bool lost);
// The name, with the message if the wheel could not be read.
std::string wheel_name(const SimulatedWheel& wheel);

}  // namespace wheelcheck::report
