// `wheelcheck policy validate FILE...`: all that is wrong with policy files.
#include <algorithm>
#include <memory>

#include "cli/options.h"
#include "cli/policy_words.h"
#include "cli/roots.h"
#include "report/policy/policies.h"

namespace wheelcheck::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> files, roots;
  std::string format = "text";
};

int run_validate(const ValidateOptions& options) {
  const auto roots = read_roots(options.roots);
  if (!roots) return complain(roots.error());
  const auto check = validate_policies(options.files, *roots);
  if (!check) return complain(check.error());
  const int said = say(options.format == "json" ? report::render_policy_check_json(*check)
                                                : report::render_policy_check_text(*check));
  const auto is_error = [](const PolicyProblem& problem) { return problem.severity == Severity::Error; };
  return said != 0 ? said : std::ranges::any_of(check->problems, is_error) ? 1 : 0;
}

Run fill_policy_validate(CLI::App& app) {
  const auto options = std::make_shared<ValidateOptions>();
  add_format_option(app, options->format, {"text", "json"});
  app.add_option("FILE", options->files, "Policy files, or directories of them")->required();
  add_roots_option(app, options->roots);
  return [options] { return run_validate(*options); };
}

}  // namespace

const Command policy_validate_command{"validate", "Report everything that is wrong in policy files, and how to fix it",
                                      &fill_policy_validate};

}  // namespace wheelcheck::cli
