// `wheelcheck why WHEEL TAG`: what stands between a wheel and a tag, down to the symbols.
#include "report/why.h"

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"

namespace wheelcheck::cli {
namespace {

struct WhyOptions : Options {
  std::string wheel, tag;
};

int run_why(WhyOptions& options) {
  if (!finish(options)) return exit_usage;
  const auto report = check_with_progress({options.wheel}, options);
  if (!report) return complain(report.error());
  const Report::Entry& entry = report->entries.front();
  if (entry.unreadable) return complain(entry.unreadable->error);
  const auto text =
      report::render_why(*entry.wheel, options.tag, {.json = options.format == "json", .colour = has_colour(options)});
  return text ? deliver(options, *text, 0) : complain(text.error());
}

}  // namespace

Command add_why(CLI::App& program) {
  const auto options = std::make_shared<WhyOptions>();
  CLI::App* const app = program.add_subcommand("why", "Say what stands between a wheel and a platform tag");
  app->add_option("WHEEL", options->wheel, "The wheel")->required();
  app->add_option("TAG", options->tag, "manylinux_2_17, manylinux2014_x86_64, musllinux_1_2 ...")->required();
  add_input_options(*app, *options);
  add_output_options(*app, *options, {"full", "json"});
  return {app, [options] { return run_why(*options); }};
}

}  // namespace wheelcheck::cli
