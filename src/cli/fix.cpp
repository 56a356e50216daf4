// `wheelcheck fix WHEEL`: makes the safe changes that findings ask for. It writes files and runs patchelf, so it cannot
// use the sandbox.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"
#include "report/rewrite/rewrite_text.h"
#include "wheelcheck/rewrite.h"

namespace wheelcheck::cli {
namespace {

struct FixCommandOptions : Options {
  FixOptions fix;
};

// SOURCE_DATE_EPOCH as its specification requires it: a decimal number (reproducible-builds.org).
int read_environment(RewriteEnvironment& environment) {
  const auto variable = [](const char* name) {
    const char* const value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  environment.program_path = variable("PATH");
  const std::string epoch = variable("SOURCE_DATE_EPOCH");
  if (epoch.empty()) return 0;
  std::uint64_t seconds = 0;
  if (!parse_number(epoch, seconds))
    return complain(
        {ErrorCode::Usage, fmt::format("SOURCE_DATE_EPOCH is {}, but must be a number of seconds", escape(epoch))});
  environment.source_date_epoch = seconds;
  return 0;
}

int run_fix(FixCommandOptions& options) {
  if (const int code = finish(options)) return code;
  if (const int code = read_environment(options.fix.environment)) return code;
  options.fix.settings = options.settings;
  options.fix.settings.inputs_open = {};
  const Result<FixResult> fixed = fix(options.fix);
  if (!fixed) return complain(fixed.error());
  const int code = exit_code(fixed->after ? *fixed->after : fixed->before);
  return deliver(options, report::render_fixed(*fixed, {.colour = has_colour(options), .diff = options.fix.dry_run}),
                 code);
}

Run fill_fix(CLI::App& app) {
  const auto options = std::make_shared<FixCommandOptions>();
  options->format = "text";
  app.add_option("WHEEL", options->fix.wheel, "The wheel")->required();
  app.add_option("-o,--output", options->fix.output, "Directory or file to write [default: replace WHEEL]")
      ->type_name("DIR|FILE");
  app.add_flag("--diff", options->fix.dry_run, "Show the changes and write nothing");
  app.add_flag("--retag", options->fix.retag,
               "Claim the best tag that the content is compatible with, in WHEEL and in the file name");
  app.add_option("--patchelf", options->fix.environment.patchelf,
                 "The program patchelf, 0.18 or newer [default: search PATH]")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_terminal_options(app, *options);
  add_fail_on_option(app, *options);
  add_selection_options(app, *options);
  add_config_options(app, *options);
  return [options] { return run_fix(*options); };
}

}  // namespace

const Command fix_command{"fix", "Make the safe changes that findings ask for", &fill_fix};

}  // namespace wheelcheck::cli
