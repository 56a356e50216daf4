// `wheelcheck why WHEEL TAG`: what stands between a wheel and a tag, down to the symbols.
#include "report/why.h"

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/configure.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

struct WhyOptions : Options {
  std::string wheel, tag;
};

int run_why(WhyOptions& options) {
  if (const int code = finish(options)) return code;
  const auto report = check_with_progress({options.wheel}, options);
  if (!report) return complain(report.error());
  const Report::Entry& entry = report->entries.front();
  if (entry.unreadable) return complain(entry.unreadable->error);
  const auto text =
      report::render_why(*entry.wheel, options.tag, {.json = options.format == "json", .colour = has_colour(options)});
  return text ? deliver(options, *text, 0) : complain(text.error());
}

Run fill(CLI::App& app) {
  const auto options = std::make_shared<WhyOptions>();
  app.add_option("WHEEL", options->wheel, "The wheel")->required();
  app.add_option("TAG", options->tag, "manylinux_2_17, manylinux2014_x86_64, musllinux_1_2 ...")->required();
  add_input_options(app, *options);
  add_output_options(app, *options, {"full", "json"});
  add_config_options(app, *options);
  return [options] { return run_why(*options); };
}

}  // namespace

const Command why_command{"why", "Say what stands between a wheel and a platform tag", &fill};

}  // namespace wheelcheck::cli
