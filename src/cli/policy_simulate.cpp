// `wheelcheck policy simulate POLICY... --on FILES`: what new or changed levels would do to a corpus of wheels.
#include <limits>
#include <memory>
#include <utility>

#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/policy_words.h"
#include "report/simulation/simulation.h"
#include "wheelcheck/simulation.h"

namespace wheelcheck::cli {
namespace {

struct SimulateOptions : Options {
  std::vector<std::string> policies, against, facts;
  bool fail_on_loss = false;
};

std::string render(const Simulation& simulation, const SimulateOptions& options) {
  if (options.format == "json") return report::render_simulation_json(simulation);
  if (options.format == "markdown") return report::render_simulation_markdown(simulation);
  if (options.format == "html") return report::render_simulation_html(simulation);
  return report::render_simulation_text(simulation, has_colour(options));
}

int exit_code(const Simulation& simulation, const SimulateOptions& options) {
  if (simulation.unreadable > 0) return exit_unreadable;
  return options.fail_on_loss && simulation.lose_claim > 0 ? 1 : 0;
}

int run_simulate(SimulateOptions& options) {
  if (const int code = finish(options)) return code;
  SimulationRequest request{.inputs = {}, .policies = options.policies, .against = options.against};
  for (const auto& inputs : {expand(options.inputs), expand_facts(options.facts)})
    for (const Input& input : inputs) request.inputs.push_back({input.path, input.problem});
  if (request.inputs.empty()) return complain({ErrorCode::Usage, "nothing to simulate on: give --on or --facts"});
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  const Result<Simulation> simulation = simulate(request, options.settings);
  if (!simulation) return complain(simulation.error());
  return deliver(options, render(*simulation, options), exit_code(*simulation, options));
}

Run fill_policy_simulate(CLI::App& app) {
  const auto options = std::make_shared<SimulateOptions>();
  app.add_option("POLICY", options->policies, "Files or directories with the new and changed levels")->required();
  // Other lists take one word for each time they are named; this one stands behind POLICY, where several are usual.
  app.add_option("--on", options->inputs, "Wheels, directories of wheels, unpacked wheels or stored facts (*.jsonl.gz)")
      ->type_name("WHEEL")
      ->expected(1, std::numeric_limits<int>::max() / 128);
  app.add_option("--facts", options->facts, "Directory with facts that check --cache stored, also below it")
      ->type_name("DIR");
  app.add_option("--against", options->against, "Files with the levels of before; else the built-in ones alone")
      ->type_name("FILE|DIR");
  app.add_flag("--fail-on-loss", options->fail_on_loss,
               "Exit 1 if a wheel is no longer compatible with a tag that it claims");
  app.add_option("--external", options->settings.external, "Libraries that another distribution provides, by soname")
      ->type_name("GLOB");
  options->format = "text";
  add_format_option(app, options->format, {"text", "json", "markdown", "html"});
  add_stream_options(app, *options);
  add_reading_options(app, *options);
  return [options] { return run_simulate(*options); };
}

}  // namespace

const Command policy_simulate_command{"simulate", "Say what new or changed levels would do to a corpus of wheels",
                                      &fill_policy_simulate};

}  // namespace wheelcheck::cli
