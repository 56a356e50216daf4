// `wheelcheck show WHEEL...`: facts and verdict; findings never make it fail.
#include <memory>

#include "cli/commands.h"
#include "cli/options.h"

namespace wheelcheck::cli {

Command add_show(CLI::App& program) {
  const auto options = std::make_shared<Options>();
  CLI::App* const app =
      program.add_subcommand("show", "Show every file's facts and the verdict; exits 0 whatever it finds");
  app->add_option("WHEEL", options->inputs, "Wheels, directories that hold wheels, or patterns")->required();
  add_input_options(*app, *options);
  add_rule_options(*app, *options);
  add_output_options(*app, *options);
  return {app, [options] { return run_check(*options, true); }};
}

}  // namespace wheelcheck::cli
