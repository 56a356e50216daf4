// `wheelcheck policy list`: which levels there are.
#include <memory>

#include "cli/options.h"
#include "cli/policy_words.h"
#include "report/policy/policies.h"

namespace wheelcheck::cli {
namespace {

struct ListOptions {
  std::vector<std::string> policies;
  std::string format = "text";
};

int run_list(const ListOptions& options) {
  const auto levels = load_levels(options.policies);
  if (!levels) return complain(levels.error());
  return say(options.format == "json" ? report::render_levels_json(*levels) : report::render_levels_text(*levels));
}

Run fill_policy_list(CLI::App& app) {
  const auto options = std::make_shared<ListOptions>();
  add_format_option(app, options->format, {"text", "json"});
  add_level_files_option(app, options->policies);
  return [options] { return run_list(*options); };
}

}  // namespace

const Command policy_list_command{"list", "List the levels, oldest first", &fill_policy_list};

}  // namespace wheelcheck::cli
