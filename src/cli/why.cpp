// `wheelcheck why WHEEL TAG`: what stands between a wheel and a tag, down to the symbols.
#include "report/why.h"

#include <fmt/format.h>

#include <memory>
#include <string>

#include "cli/commands.h"
#include "cli/options.h"
#include "cli/output.h"

namespace wheelcheck::cli {
namespace {

struct WhyOptions : Options {
  std::string wheel, tag;
};

int complain(const Error& error) {
  fmt::print(stderr, "wheelcheck: {}\n", error.message);
  const bool usage = error.code == ErrorCode::Usage || error.code == ErrorCode::BadPolicy;
  return usage ? exit_usage : exit_unreadable;
}

int run_why(WhyOptions& options) {
  if (!finish(options)) return exit_usage;
  const auto report = check(std::span(&options.wheel, 1), options.settings);
  if (!report) return complain(report.error());
  const Report::Entry& entry = report->entries.front();
  if (entry.unreadable) return complain(entry.unreadable->error);
  const bool colour = options.output_file.empty() && wants_colour(options.colour);
  const auto text = report::render_why(*entry.wheel, options.tag, {.json = options.format == "json", .colour = colour});
  if (!text) return complain(text.error());
  const bool to_file = !options.output_file.empty();
  return (to_file ? write_file(options.output_file, *text) : write_out(*text)) ? 0 : exit_internal;
}

}  // namespace

Command add_why(CLI::App& program) {
  const auto options = std::make_shared<WhyOptions>();
  CLI::App* const app = program.add_subcommand("why", "Say what stands between a wheel and a platform tag");
  app->add_option("WHEEL", options->wheel, "The wheel")->required();
  app->add_option("TAG", options->tag, "manylinux_2_17, manylinux2014_x86_64, musllinux_1_2 ...")->required();
  add_input_options(*app, *options);
  app->add_option("--format", options->format, "Output format")
      ->check(CLI::IsMember({"full", "json"}))
      ->capture_default_str();
  app->add_option("--output-file,-o", options->output_file, "Write the answer there instead of to stdout");
  app->add_option("--color", options->colour, "Colour")
      ->check(CLI::IsMember({"auto", "always", "never"}))
      ->capture_default_str();
  return {app, [options] { return run_why(*options); }};
}

}  // namespace wheelcheck::cli
