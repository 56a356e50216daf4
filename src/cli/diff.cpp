// `wheelcheck diff OLD NEW`: what changed between two releases, with an optional exit code for CI.
#include "wheelcheck/diff.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/answers/answers.h"

namespace wheelcheck::cli {
namespace {

struct DiffOptions : Options {
  std::string old, now;
  bool fail_on_new = false, fail_on_raised = false;
};

int run_diff(DiffOptions& options) {
  if (const int code = finish(options)) return code;
  for (std::string* const word : {&options.old, &options.now}) {
    auto wheel = expand_one(*word);
    if (!wheel) return complain(wheel.error());
    *word = std::move(*wheel);
  }
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  const Result<Diff> diff = compare(options.old, options.now, options.settings);
  if (!diff) return refuse(options, diff.error(), std::array{options.old, options.now});
  const report::DiffOptions how{.fail_on_new = options.fail_on_new, .fail_on_raised = options.fail_on_raised};
  return deliver_answer(options, report::diff_answer(*diff, how), report::diff_fails(*diff, how) ? exit_failed : 0);
}

Run fill_diff(CLI::App& app) {
  const auto options = std::make_shared<DiffOptions>();
  app.add_option("OLD", options->old, "The earlier release: a wheel, an unpacked one, or stored facts (*.jsonl.gz)")
      ->required();
  app.add_option("NEW", options->now, "The later release")->required();
  app.add_flag("--fail-on-new", options->fail_on_new,
               "Exit 1 if the new release has a finding of --fail-on or higher that the old one lacks, or has with a "
               "lower severity");
  add_fail_on_option(app, *options, "Lowest severity that counts for --fail-on-new");
  app.add_flag("--fail-on-raised-floor", options->fail_on_raised,
               "Exit 1 if the claimed or the best tag requires a newer system than before");
  add_input_options(app, *options);
  add_rule_options(app, *options);
  add_library_index_option(app, *options);
  add_answer_options(app, *options, std::array<std::string_view, 1>{"markdown"});  // for release notes
  add_selection_options(app, *options);
  add_config_options(app, *options);
  add_term_options(app, *options);
  return [options] { return run_diff(*options); };
}

}  // namespace

const Command diff_command{"diff", "Show what changed between two releases of a wheel", &fill_diff};

}  // namespace wheelcheck::cli
