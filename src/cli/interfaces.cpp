// `wheelcheck interfaces WHEEL...`: what wheels require of other packages and of the system.
#include "wheelcheck/interfaces.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output_paths.h"
#include "report/interfaces/interfaces.h"
#include "report/shared/text.h"

namespace wheelcheck::cli {
namespace {

int run_interfaces(Options& options) {
  if (const int code = finish(options)) return code;
  const auto knowledge = load_knowledge(options.settings.knowledge);
  if (!knowledge) return complain(knowledge.error());
  std::vector<std::string> paths;
  int code = 0;
  const std::vector<Input> inputs = expand(options.inputs);
  if (const auto fine = refuse_outputs(options, inputs); !fine) return complain(fine.error());
  for (const Input& input : inputs) {
    if (input.problem.empty()) paths.push_back(input.path);
    if (!input.problem.empty())
      code = std::max(code, complain({ErrorCode::NotFound, escape(input.path) + ": " + input.problem}));
  }
  const auto report = check_with_progress(paths, options);
  if (!report) return complain(report.error());
  std::vector<report::Interfaces> wheels;
  for (const Report::Entry& entry : report->entries) {
    if (entry.unreadable) code = std::max(code, complain(*entry.unreadable));
    if (entry.wheel)
      wheels.push_back({*entry.wheel, report->providers, interfaces_of(*entry.wheel, *knowledge, report->providers)});
  }
  if (options.format == "json") return deliver(options, render_interfaces_json(wheels), code);
  if (options.format == "variants") return deliver(options, render_variants_json(wheels), code);
  return deliver(options, render_interfaces_text(wheels, {has_colour(options), width_of(options)}), code);
}

Run fill_interfaces(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->format = "text";
  app.add_option("WHEEL", options->inputs, "Wheels, directories that contain wheels, or patterns")->required();
  app.add_option("--knowledge", options->settings.knowledge,
                 "File with additional or changed entries of the built-in tables")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_output_options(app, *options, {"text", "json", "variants"});
  add_config_options(app, *options);
  return [options] { return run_interfaces(*options); };
}

}  // namespace

const Command interfaces_command{"interfaces", "List what wheels require of other packages and of the system",
                                 &fill_interfaces};

}  // namespace wheelcheck::cli
