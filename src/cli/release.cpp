// `wheelcheck release DIR`: the wheels of one version, judged together.
#include "wheelcheck/release.h"

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"
#include "report/answers/answers.h"

namespace wheelcheck::cli {
namespace {

struct ReleaseOptions : Options {
  std::string directory, previous, sdist;
};

int run_release(ReleaseOptions& options) {
  if (const int code = finish(options)) return code;
  ProgressLine progress(options.no_progress);
  show_progress(progress, options.settings);
  const auto release = judge_release(options.directory, options.previous, options.sdist, options.settings);
  if (!release) return complain(release.error());
  for (const Report::Entry& entry : release->read.entries)
    if (entry.unreadable) complain(*entry.unreadable);
  return deliver_answer(options, report::release_answer(*release), report::release_exit_code(*release));
}

Run fill_release(CLI::App& app) {
  const auto options = std::make_shared<ReleaseOptions>();
  app.add_option("DIR", options->directory,
                 "All wheels of one version: a directory, or a list of their names as of --previous")
      ->required();
  app.add_option("--previous", options->previous,
                 "The release before: a directory of wheels, a text with a file name a line, or the JSON of an index")
      ->type_name("DIR|FILE");
  app.add_option("--sdist", options->sdist, "The .tar.gz of the release: its package data is in some wheel")
      ->type_name("FILE");
  add_input_options(app, *options);
  add_answer_options(app, *options, std::array<std::string_view, 2>{"markdown", "sarif"});
  add_config_options(app, *options);
  return [options] { return run_release(*options); };
}

}  // namespace

const Command release_command{"release", "Judge all wheels of one version together", &fill_release};

}  // namespace wheelcheck::cli
