// `wheelcheck policy show NAME`: what a level promises, to read or as a policy file.
#include <memory>

#include "cli/options.h"
#include "cli/policy_words.h"
#include "report/policy/policies.h"

namespace wheelcheck::cli {
namespace {

struct ShowOptions {
  std::vector<std::string> policies;
  std::string name, arch, format = "text";
};

int run_show(const ShowOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const auto level = level_of(*levels, options.name, options.arch);
  if (!level) return complain(level.error());
  return say(options.format == "json" ? policy_document(*level) : report::render_level_text(*level));
}

Run fill_policy_show(CLI::App& app) {
  const auto options = std::make_shared<ShowOptions>();
  add_format_option(app, options->format, {"text", "json"});
  app.add_option("NAME", options->name, "manylinux_2_17, manylinux2014_x86_64, or a file with one level")->required();
  add_arch_option(app, options->arch);
  add_level_files_option(app, options->policies);
  return [options] { return run_show(*options); };
}

}  // namespace

const Command policy_show_command{"show", "Show what a level allows; as JSON, a policy file of it", &fill_policy_show};

}  // namespace wheelcheck::cli
