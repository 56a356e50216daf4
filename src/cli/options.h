// The command-line options that `check`, `show`, `why` and `symbols` have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "report/shared/document.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {

inline constexpr int exit_failed = 1, exit_usage = 2, exit_unreadable = 3, exit_internal = 4;

// What is read.
struct InputOptions {
  std::vector<std::string> inputs;
  std::vector<std::string> providers;  // DIST=WHEEL
  std::vector<std::string> limits;     // NAME=VALUE
  std::string cache = "off";           // off, auto or a directory
  std::string sandbox = "auto";        // auto, require or off
  std::string library_index;           // file
};
// A report with a file of its own: `--format sarif=out.sarif`.
struct ReportFile {
  std::string format, file;
  int output = -1;  // descriptor, once open
};
// What is written, where to, and how it looks.
struct OutputOptions {
  std::string format = "full";  // of stdout or --output-file; "" if all reports have files of their own
  std::string output_file;
  std::vector<std::string> formats;  // --format: NAME or NAME=FILE
  std::vector<ReportFile> files;     // those of `formats`, set by finish()
  std::string colour = "auto";
  bool no_progress = false;
  int verbosity = 0;  // -v, -vv; RenderOptions::verbosity
  bool quiet = false;
  bool statistics = false;
  std::size_t width = 80;    // columns of the terminal, set by finish()
  int output = -1;           // descriptor of --output-file, once open
  std::vector<int> outputs;  // descriptors of all files that the run writes, once open
};
// Words of options that finish() converts to Settings.
struct RuleWords {
  std::string fail_on = "error";
  std::string string_abi;  // --require-cxx11-abi
};
// The configuration file and the baseline.
struct ConfigurationOptions {
  std::string config, baseline, write_baseline, today;  // file names and a date
  bool no_config = false;
  const CLI::App* configured = nullptr;  // the command whose options a configuration file may set
  int baseline_output = -1;              // descriptor of --write-baseline, once open
};
// Everything. A function takes the part that it uses.
struct Options : InputOptions, OutputOptions, RuleWords, ConfigurationOptions {
  Settings settings;
};

void add_reading_options(CLI::App& app, Options& options);  // threads, cache, sandbox, limits
// The limits that --limit changes, with their defaults.
struct LimitOutline {
  std::string name, text, initial;
};
std::vector<LimitOutline> limit_outlines();
void add_input_options(CLI::App& app, Options& options);  // what is read and which policies apply
void add_library_index_option(CLI::App& app, InputOptions& options);
void add_own_options(CLI::App& app, Options& options);  // the wheel's own product, and what is known about other wheels
void add_rule_options(CLI::App& app, Options& options);       // these, and the options of individual rules
void add_selection_options(CLI::App& app, Options& options);  // --select, --ignore
// "a similar one exists: executable-stack", or where all are listed.
std::string advice_for_rule(const std::string& name);
// exit_usage after a message if one of the words selects no rule.
int check_selectors(std::span<const std::string> words);
void add_fail_on_option(CLI::App& app, RuleWords& words,
                        const char* text = "Exit 1 if any finding has this severity or higher");
std::vector<std::string> report_formats();
// NAME or NAME=FILE, with one of these names.
CLI::Validator format_check(const std::vector<std::string>& names);
// --format, which may be repeated: `--format sarif=out.sarif --format github`. options.format is the default.
void add_formats_option(CLI::App& app, OutputOptions& options, const std::vector<std::string>& names,
                        const char* text = "Output format; NAME=FILE writes it to a file");
// The same where one is chosen, for print_as().
void add_format_word(CLI::App& app, std::string& format, const std::vector<std::string>& names, const char* text);
// Format, file, colour, progress.
void add_output_options(CLI::App& app, OutputOptions& options, const std::vector<std::string>& formats);
// The same for an answer: the formats of src/report/formats, and those that not every command has.
void add_answer_options(CLI::App& app, OutputOptions& options, std::span<const std::string_view> more = {});
void add_stream_options(CLI::App& app, OutputOptions& options);    // all of these except the format
void add_terminal_options(CLI::App& app, OutputOptions& options);  // colour, progress

// Converts the options to Settings, which refer to `options`, and opens the files of all reports. If the result is not
// 0, the run ends with that exit code; a message is already on stderr.
int finish(Options& options);

// Prints the error to stderr and returns its exit code.
// Prints the error; returns 2 for a usage error, 1 for a refused archive, and 3 otherwise.
int complain(const Error& error);
int complain(const Unreadable& unreadable);
// The same for a command of one or few inputs, whose error names one of them.
int complain(const Error& error, std::span<const std::string> inputs);
// The same, and where JSON is asked for, the report that `check` writes of such an input.
int refuse(const OutputOptions& options, const Unreadable& unreadable);
int refuse(const OutputOptions& options, const Error& error, std::span<const std::string> inputs);

// Prints the error to stderr and returns exit_usage. `where` is the file, escaped, or "to stdout".
int cannot_write(const std::string& where);
// Writes the text to stdout and returns the exit code.
int print_text(std::string_view text);

// Writes the text to stdout or --output-file. Returns `code`, or exit_usage after a message if writing failed.
int deliver(const OutputOptions& options, const std::string& text, int code);
// Writes each report in its format: to its file, or to stdout or --output-file. Returns as deliver().
using RenderAs = std::function<std::string(const std::string& format, const report::Paint& paint)>;
int deliver_formats(const OutputOptions& options, const RenderAs& render, int code);
// The same for one word of --format, in commands without further output options.
int print_as(const std::string& word, const RenderAs& render);
// Says on stderr that a report was written. `what` is "7 findings" or "".
void tell_written(const OutputOptions& options, const std::string& file, std::string_view what = "");
// The same for an answer.
int deliver_answer(const OutputOptions& options, const report::Answer& answer, int code);
bool has_colour(const OutputOptions& options);       // for the output that the options select
std::size_t width_of(const OutputOptions& options);  // columns of that output; 80 for a file
report::Paint paint_of(const OutputOptions& options);

// Shows the progress of a run with these settings in a line on stderr. `line` must outlive the run.
void show_progress(ProgressLine& line, Settings& settings);
// check() with a progress line.
Result<Report> check_with_progress(const std::vector<std::string>& paths, Options& options);

// Runs the check and writes the report. `facts_only` is set for `show`.
int run_check(Options& options, bool facts_only);

void add_report_options(CLI::App& app, OutputOptions& options);  // all output options of `check` and `show`

// The configuration file and the baseline (configure.cpp).

void add_config_options(CLI::App& app, ConfigurationOptions& options);    // --config, --no-config
void add_term_options(CLI::App& app, Options& options);                   // --require-tag, --today
void add_baseline_options(CLI::App& app, ConfigurationOptions& options);  // --baseline, --write-baseline
void add_check_options(CLI::App& app, Options& options);  // these and all other options of `check`, except the inputs

// Reads the files that the options name, or the nearest configuration file, and opens the baseline for writing. If the
// result is not 0, the run ends with that exit code; a message is already on stderr. Does nothing if the command has no
// add_config_options.
int configure(Options& options);
// False on failure; a message is already on stderr. `code` is the exit code of the run.
bool write_baseline(const Options& options, const Report& report, int code);

}  // namespace wheelcheck::cli
