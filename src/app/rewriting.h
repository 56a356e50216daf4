// Shared by `fix` and `repair`: opens and checks a wheel, and checks the result.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "archive/archive.h"
#include "archive/file.h"
#include "rewrite/output_file.h"
#include "rewrite/wheel_writer.h"
#include "wheelcheck/report.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::app {

struct OpenedWheel {
  std::shared_ptr<const archive::File> file;
  archive::Archive archive;
  Report report;  // of this wheel alone, which could be read
  const WheelReport& judged() const { return *report.entries.front().wheel; }
};
Result<OpenedWheel> open_wheel(const std::string& path, const Settings& settings);

// A member as text.
Result<std::string> text_of_member(const archive::Archive& archive, const std::string& path);

// Checks what was written, under its later path. Error: it cannot be read.
Result<Report> judge_written(const rewrite::OutputFile& output, const std::string& path, const Settings& settings);

// Writes the wheel with its edits, checks the result under its later path, and returns the report on it. The caller
// keeps `output` if the result is good.
struct Rewriting {
  const rewrite::Edits& edits;
  rewrite::ElfTools tools;
  std::optional<std::uint64_t> source_date_epoch;
  std::optional<int> level;  // rewrite::WriteOptions::level
  const Settings& settings;
};
Result<Report> write_and_judge(const OpenedWheel& wheel, const Rewriting& rewriting, rewrite::OutputFile& output,
                               const std::string& path);

// The platform tags of a level: its name and its aliases, each with the architecture. The name is the first.
std::vector<std::string> platform_tags(const Policy& level, Arch arch);

// Where the result goes.
struct Destination {
  std::string directory, name;
  std::string path() const { return directory + "/" + name; }
};
// Error: the result would replace one of the files.
Result<void> demand_new_file(const Destination& to, const std::vector<std::string>& protected_files);

}  // namespace wheelcheck::app
