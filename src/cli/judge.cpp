// `wheelcheck judge --facts DIR`: `check` over every kept fact below a directory, when rules or policies changed and
// the wheels are no longer at hand.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"
#include "cli/reports.h"

namespace wheelcheck::cli {
namespace {

namespace fs = std::filesystem;

// `*.jsonl.gz` of the directory and of those below it, by path; links to directories are not followed.
std::vector<std::string> facts_below(const std::string& directory, std::error_code& failed) {
  std::vector<std::string> files;
  auto at = fs::recursive_directory_iterator(directory, failed);
  for (; !failed && at != fs::recursive_directory_iterator(); at.increment(failed)) {
    std::error_code none;
    if (at->path().filename().string().ends_with(".jsonl.gz") && at->is_regular_file(none))
      files.push_back(at->path().string());
  }
  std::ranges::sort(files);
  return files;
}

int run_judge(Options& options, const std::vector<std::string>& directories) {
  for (const std::string& directory : directories) {
    std::error_code failed;
    const std::vector<std::string> files = facts_below(directory, failed);
    if (failed || files.empty()) {
      fmt::print(stderr, "wheelcheck: {}: {}\n", escape(directory),
                 failed ? fmt::format("cannot be read: {}", failed.message()) : "no *.jsonl.gz is below it");
      return exit_unreadable;
    }
    options.inputs.insert(options.inputs.end(), files.begin(), files.end());
  }
  return run_check(options, false);
}

Run fill(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  const auto directories = std::make_shared<std::vector<std::string>>();
  app.add_option("--facts", *directories, "Directory with facts that --cache kept, there or in directories below it")
      ->type_name("DIR")
      ->required();
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_report_options(app, *options);
  add_fail_on_option(app, *options);
  add_selection_options(app, *options);
  add_config_options(app, *options);
  add_term_options(app, *options);
  add_baseline_options(app, *options);
  return [options, directories] { return run_judge(*options, *directories); };
}

}  // namespace

const Command judge_command{"judge", "Check kept facts again, without their wheels", &fill};

}  // namespace wheelcheck::cli
