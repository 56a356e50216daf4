// The output of `wheelcheck policy simulate`: which wheels gain a better tag under new levels, which lose one, and
// which symbols cause it.
#pragma once

#include <string>

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

}  // namespace wheelcheck::report
