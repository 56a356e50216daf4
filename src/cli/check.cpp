// `wheelcheck [check] WHEEL...`: the verdict, the findings and an exit code for CI.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "app/required_tags.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"

namespace wheelcheck::cli {

namespace {

Run fill_check(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHEEL", options->inputs,
                 "Wheels, unpacked or not, directories that contain wheels, patterns, or - for a list on stdin")
      ->required();
  add_check_options(app, *options);
  add_library_index_option(app, *options);
  return [options] { return run_check(*options, false); };
}

}  // namespace

const Command check_command{"check", "Check wheels against the tags that they claim (the default)", &fill_check};

// `wheelcheck show WHEEL...`: facts and verdict; findings do not affect the exit code.

namespace {

Run fill_show(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  app.add_option("WHEEL", options->inputs,
                 "Wheels, directories that contain wheels, patterns, ELF files, or - for a list on stdin")
      ->required();
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_report_options(app, *options);
  add_config_options(app, *options);
  add_term_options(app, *options);
  options->settings.elf_files = true;
  return [options] { return run_check(*options, true); };
}

}  // namespace

const Command show_command{"show", "Show the facts of every file and the verdict; findings do not change the exit code",
                           &fill_show};

// `wheelcheck judge --facts DIR`: runs `check` on all stored facts below a directory, for changed rules or policies
// when the wheels are no longer available.

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

// `wheelcheck check-config [FILE]`: whether a configuration file is valid.

namespace {

int run_check_config(Options& options) {
  if (const int code = configure(options)) return code;
  if (!options.settings.configuration)
    return print_text(
        "no wheelcheck.toml or pyproject.toml with [tool.wheelcheck] in this directory or above; the defaults apply\n");
  const auto policies = load_policies(options.settings.policies);
  if (!policies) return complain(policies.error());
  if (const auto found = app::find_required_levels(options.settings, *policies); !found) return complain(found.error());
  if (const auto knowledge = load_knowledge(options.settings.knowledge); !knowledge) return complain(knowledge.error());
  const ConfigFile& file = *options.settings.configuration;
  return print_text(fmt::format("{}: nothing is wrong\n", escape(file.name)));
}

Run fill_check_config(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  options->configured = &app;
  app.add_option("FILE", options->config, "The file; default: the one that a check in this directory would use");
  return [options] { return run_check_config(*options); };
}

}  // namespace

const Command check_config_command{"check-config", "Check a configuration file, and the files that it names",
                                   &fill_check_config};

}  // namespace wheelcheck::cli
