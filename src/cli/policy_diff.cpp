// `wheelcheck policy diff A B`: what one level promises more and less than another.
#include <memory>

#include "cli/options.h"
#include "cli/policy_words.h"
#include "report/policies.h"

namespace wheelcheck::cli {
namespace {

struct DiffOptions {
  std::vector<std::string> policies;
  std::string from, to, arch, format = "text";
};

int run_diff(const DiffOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  const auto from = level_of(*levels, options.from, options.arch), to = level_of(*levels, options.to, options.arch);
  if (!from) return complain(from.error());
  if (!to) return complain(to.error());
  const PolicyChange change = compare_levels(*from, *to);
  if (options.format == "json") return say(report::render_policy_change_json(change));
  return say(options.format == "markdown" ? report::render_policy_change_markdown(change)
                                          : report::render_policy_change_text(change));
}

Run fill(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  add_format_option(app, options->format, {"text", "json", "markdown"});
  app.add_option("A", options->from, "A level or a file with one")->required();
  app.add_option("B", options->to, "The other")->required();
  add_arch_option(app, options->arch);
  add_level_files_option(app, options->policies);
  return [options] { return run_diff(*options); };
}

}  // namespace

const Command policy_diff_command{"diff", "Show what a level adds to another and takes away", &fill};

}  // namespace wheelcheck::cli
