#include "cli/reports.h"

#include <fmt/format.h>

#include "base/text.h"
#include "cli/output.h"

namespace wheelcheck::cli {

void add_report_options(CLI::App& app, Options& options) {
  const auto known = [](const std::string& word) {
    const bool good = find_renderer(word.substr(0, word.find('='))) != nullptr && !word.ends_with('=');
    return good ? std::string() : fmt::format("{} is none of {}", escape(word), join(report_formats(), ", "));
  };
  const std::string all = join(report_formats(), ", ");
  app.add_option(
         "--format", options.formats,
         fmt::format("Output format, {} by default: {}; several where =FILE says where each goes", options.format, all))
      ->type_name("NAME[=FILE]")
      ->expected(1)
      ->allow_extra_args(false)  // what follows is a wheel
      ->take_all()
      ->check(known);
  app.add_flag("-v,--verbose", options.verbosity,
               "Show notes and the evidence of each finding; -vv: facts of all files");
  app.add_flag("-q,--quiet", options.quiet, "Print the last line only");
  app.add_flag("--statistics", options.statistics, "Count the findings of each rule");
  add_stream_options(app, options);
}

bool choose_reports(Options& options, std::vector<ReportFile>& files) {
  options.width = terminal_width();  // the sandbox does not let the terminal be asked
  std::size_t plain = 0;
  for (const std::string& word : options.formats) {
    const std::size_t at = word.find('=');
    if (at != std::string::npos)
      files.push_back({find_renderer(word.substr(0, at)), word.substr(at + 1)});
    else if (++plain == 1)
      options.format = word;
  }
  if (plain == 0 && !files.empty()) options.format.clear();
  if (plain > 1) {
    fmt::print(stderr, "wheelcheck: --format: one alone goes to stdout; write the others as NAME=FILE\n");
    return false;
  }
  if (options.format.empty() && !options.output_file.empty()) {
    fmt::print(stderr, "wheelcheck: --output-file {}: no --format without a file of its own is left for it\n",
               escape(options.output_file));
    return false;
  }
  return true;
}

int open_reports(Options& options, std::vector<ReportFile>& files) {
  for (ReportFile& one : files) {
    one.output = open_output(one.file);
    if (one.output < 0) return cannot_write(escape(one.file));
    options.outputs.push_back(one.output);
  }
  return 0;
}

int deliver_reports(const Options& options, const std::vector<ReportFile>& files, const Report& report, bool facts_only,
                    int code) {
  for (const ReportFile& one : files) {
    if (!replace_content(one.output, one.renderer->render(report, {.facts_only = facts_only})))
      return cannot_write(escape(one.file));
  }
  if (options.format.empty()) return code;
  const RenderOptions how{.colour = has_colour(options),
                          .facts_only = facts_only,
                          .verbosity = options.quiet ? -1 : options.verbosity,
                          .statistics = options.statistics,
                          .width = options.output_file.empty() ? options.width : RenderOptions().width};
  return deliver(options, find_renderer(options.format)->render(report, how), code);
}

}  // namespace wheelcheck::cli
