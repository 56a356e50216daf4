// Several reports of one run: `--format sarif=out.sarif --format github`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "cli/options.h"

namespace wheelcheck::cli {

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
