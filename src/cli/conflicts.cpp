// `wheelcheck conflicts --environment DIR --plan FILE`: who binds to whom in one process.
#include <algorithm>
#include <memory>
#include <thread>

#include "cli/commands.h"
#include "cli/options.h"
#include "report/bindings.h"
#include "wheelcheck/environment.h"

namespace wheelcheck::cli {
namespace {

struct ConflictsOptions : Options {
  EnvironmentInput input;
};

int run_conflicts(ConflictsOptions& options) {
  const auto prediction = predict_environment(options.input);
  if (!prediction) return complain(prediction.error());
  return deliver(options, report::render_bindings(*prediction), 0);
}

}  // namespace

Command add_conflicts(CLI::App& program) {
  const auto options = std::make_shared<ConflictsOptions>();
  EnvironmentInput& input = options->input;
  input.jobs = std::max(1u, std::thread::hardware_concurrency());
  options->format = "bindings";
  CLI::App* const app = program.add_subcommand("conflicts", "Predict which definition each symbol is bound to");
  app->add_option("--environment", input.directory, "Directory of installed files")->required()->type_name("DIR");
  app->add_option("--plan", input.plan, "What is opened, in order (`wheelcheck schema plan`)")
      ->required()
      ->type_name("FILE");
  app->add_option("--python", input.python, "The interpreter: a file, or a known one: shared, static [shared]")
      ->type_name("PATH|NAME");
  app->add_option("--sysroot", input.sysroot,
                  "Where the platform's libraries are read; else those of Debian 12 are known")
      ->type_name("DIR");
  app->add_option("--jobs,-j", input.jobs, "Threads")->check(CLI::Range(1u, 1024u))->capture_default_str();
  add_output_options(*app, *options, {"bindings"});
  return {app, [options] { return run_conflicts(*options); }};
}

}  // namespace wheelcheck::cli
