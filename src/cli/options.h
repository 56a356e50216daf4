// The words that `check`, `show`, `why` and `symbols` have in common.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {

inline constexpr int exit_usage = 2, exit_unreadable = 3, exit_internal = 4;

struct Options {
  std::vector<std::string> inputs;
  std::string format = "full";
  std::string output_file;
  std::vector<std::string> formats;  // of commands that write several reports: NAME or NAME=FILE (cli/options.h)
  std::string colour = "auto";
  std::string fail_on = "error";
  std::string string_abi;              // --require-cxx11-abi
  std::string cache = "off";           // off, auto or a directory
  std::vector<std::string> providers;  // DIST=WHEEL
  std::string sandbox = "auto";        // auto, require or off
  bool no_progress = false;
  int verbosity = 0;  // -v, -vv; RenderOptions::verbosity
  bool quiet = false;
  bool statistics = false;
  std::size_t width = 80;                               // of the terminal
  int output = -1;                                      // --output-file, once it is open
  std::vector<int> outputs;                             // every file that the run writes, once they are open
  std::string config, baseline, write_baseline, today;  // files and a date; cli/configure.h
  bool no_config = false;
  const CLI::App* configured = nullptr;  // where a configuration file may set what its words do not
  int baseline_output = -1;              // --write-baseline, once it is open
  Settings settings;
};

void add_reading_options(CLI::App& app, Options& options);  // threads, cache, sandbox, limits
void add_input_options(CLI::App& app, Options& options);    // what is read and what tags are held against
void add_own_options(CLI::App& app, Options& options);      // what is the wheel's own, and what is known of the others
void add_rule_options(CLI::App& app, Options& options);     // these, and what each rule lets be set
void add_selection_options(CLI::App& app, Options& options);  // --select, --ignore
void add_fail_on_option(CLI::App& app, Options& options,
                        const char* text = "Exit 1 if any finding has this severity or higher");
std::vector<std::string> report_formats();
// Format, file, colour, progress.
void add_output_options(CLI::App& app, Options& options, const std::vector<std::string>& formats = report_formats());
void add_stream_options(CLI::App& app, Options& options);  // all of these but the format

// Turns the words into Settings, which refer to `options`, and opens --output-file. What is not 0 ends the run, after a
// message on stderr, with that exit code.
int finish(Options& options);

// Says the error on stderr and gives its exit code.
int complain(const Error& error);

// Says so on stderr and gives exit_usage. `where`: the file, escaped, or "to stdout".
int cannot_write(const std::string& where);
// Writes the text to stdout, and gives the exit code.
int say(std::string_view text);

// Writes the text to stdout or --output-file. Gives `code`, or exit_usage after a message where that failed.
int deliver(const Options& options, const std::string& text, int code);
bool has_colour(const Options& options);  // of a text that goes where the options say

// Has the work that these settings are for told on a line on stderr, which must outlive it.
void show_progress(ProgressLine& line, Settings& settings);
// check() with such a line.
Result<Report> check_with_progress(const std::vector<std::string>& paths, Options& options);

// Runs the check and writes the report. facts_only: `show`.
int run_check(Options& options, bool facts_only);

// Several reports of one run: `--format sarif=out.sarif --format github`.

struct ReportFile {
  const Renderer* renderer = nullptr;  // never null
  std::string file;
  int output = -1;  // once it is open
};

// --format, which may be given again, and where the one report goes that has no file of its own.
void add_report_options(CLI::App& app, Options& options);
// Takes Options::formats apart: those of NAME=FILE are `files`, the other becomes Options::format, "" where there is
// none. False after a message on stderr.
bool choose_reports(Options& options, std::vector<ReportFile>& files);
// Opens the files. What is not 0 ends the run, after a message on stderr, with that exit code.
int open_reports(Options& options, std::vector<ReportFile>& files);
// Writes them all. Gives `code`, or exit_usage after a message where one failed.
int deliver_reports(const Options& options, const std::vector<ReportFile>& files, const Report& report, bool facts_only,
                    int code);

}  // namespace wheelcheck::cli
