// `wheelcheck show WHEEL...`: facts and verdict; findings never make it fail.
#include <memory>

#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"
#include "cli/reports.h"

namespace wheelcheck::cli {
namespace {

Run fill_show(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHEEL", options->inputs, "Wheels, directories that contain wheels, or patterns")->required();
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_report_options(app, *options);
  add_config_options(app, *options);
  add_term_options(app, *options);
  return [options] { return run_check(*options, true); };
}

}  // namespace

const Command show_command{"show", "Show every file's facts and the verdict; exits 0 whatever it finds", &fill_show};

}  // namespace wheelcheck::cli
