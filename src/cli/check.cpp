// `wheelcheck [check] WHEEL...`: the verdict, the findings and an exit code for CI.
#include <memory>

#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

Run fill_check(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHEEL", options->inputs, "Wheels, unpacked or not, directories that contain wheels, or patterns")
      ->required();
  add_check_options(app, *options);
  return [options] { return run_check(*options, false); };
}

}  // namespace

const Command check_command{"check", "Check wheels against the tags that they claim (the default)", &fill_check};

}  // namespace wheelcheck::cli
