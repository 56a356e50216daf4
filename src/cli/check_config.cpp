// `wheelcheck check-config [FILE]`: whether a configuration file says what it may say.
#include <fmt/format.h>

#include <memory>
#include <string>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"
#include "cli/output.h"

namespace wheelcheck::cli {
namespace {

int run_check_config(Options& options) {
  if (const int code = configure(options)) return code;
  if (!options.settings.configuration) {
    fmt::print(stderr,
               "wheelcheck: no wheelcheck.toml or pyproject.toml with [tool.wheelcheck] in this directory or above\n");
    return exit_usage;
  }
  if (const auto policies = load_policies(options.settings.policies); !policies) return complain(policies.error());
  if (const auto knowledge = load_knowledge(options.settings.knowledge); !knowledge) return complain(knowledge.error());
  const ConfigFile& file = *options.settings.configuration;
  return say(fmt::format("{}: nothing is wrong\n", escape(file.name)));
}

Run fill_check_config(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->configured = &app;
  app.add_option("FILE", options->config, "The file; else the one that a check from here would take");
  return [options] { return run_check_config(*options); };
}

}  // namespace

const Command check_config_command{"check-config", "Check a configuration file, and the files that it names",
                                   &fill_check_config};

}  // namespace wheelcheck::cli
