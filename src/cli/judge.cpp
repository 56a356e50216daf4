// `wheelcheck judge --facts DIR`: `check` over every kept fact below a directory, when rules or policies changed and
// the wheels are no longer at hand.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/inputs.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

int run_judge(Options& options, const std::vector<std::string>& directories) {
  for (const Input& input : expand_facts(directories)) {
    if (!input.problem.empty())
      return complain({ErrorCode::NotFound, fmt::format("{}: {}", escape(input.path), input.problem)});
    options.inputs.push_back(input.path);
  }
  return run_check(options, false);
}

Run fill_judge(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  const auto directories = std::make_shared<std::vector<std::string>>();
  app.add_option("--facts", *directories, "Directory with facts that --cache stored, also below it")
      ->type_name("DIR")
      ->required();
  add_check_options(app, *options);
  return [options, directories] { return run_judge(*options, *directories); };
}

}  // namespace

const Command judge_command{"judge", "Check stored facts again, without the wheels", &fill_judge};

}  // namespace wheelcheck::cli
