// Everything that a renderer may show. Renderers decide nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/baseline.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/config.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/result.h"
#include "wheelcheck/verdict.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck {

struct IgnoredFinding {
  Finding finding;
  IgnoreRule by;
};
struct WheelReport {
  WheelFacts facts;
  Resolution resolution;
  std::vector<Assessment> assessments;
  Verdict verdict;
  Analysis analysis;
  std::vector<Finding> findings;                      // worst first, then by code, then by place
  std::optional<Severity> fail_on = Severity::Error;  // from which a finding fails the wheel; nullopt: none does
  bool failed = false;                                // one does
  // Not among `findings`: they neither count nor fail.
  std::vector<IgnoredFinding> ignored;  // by an ignore-rule
  std::vector<Finding> known;           // in the baseline
  std::vector<KnownFinding> mended;     // of the baseline, and no longer there
  std::vector<KnownFinding> to_know;    // what a baseline would hold; where one is asked for
};
struct Unreadable {  // an input that cannot be read as a wheel
  std::string path;
  Error error;
  // It was opened, but its content is refused: the finding WC703, which fails the run (exit 1). Else nothing could be
  // opened, or the file is not meant to be a wheel (exit 3).
  bool refused() const {
    return error.code == ErrorCode::Rejected || error.code == ErrorCode::OverLimit ||
           (error.code == ErrorCode::NotAWheel && path.ends_with(".whl"));
  }
};
struct Report {
  std::string version;  // of wheelcheck
  // In the order given. Exactly one of the two is set.
  struct Entry {
    std::optional<WheelReport> wheel;
    std::optional<Unreadable> unreadable;
  };
  std::vector<Entry> entries;
  std::size_t errors = 0, warnings = 0, infos = 0;  // findings over all wheels
  // --provider wheels; ElfRef::wheel 0 is the wheel itself, n is providers[n - 1].
  std::vector<WheelFacts> providers;
  std::optional<ConfigFile> configuration;
  std::optional<std::string> baseline;  // base name
};

struct RenderOptions {
  bool colour = false;
  bool facts_only = false;  // `show`: facts and verdict first, findings as remarks
  // Of the text for people. -1: the last line only; 0: findings grouped, notes counted; 1: every finding with its
  // evidence, notes too; 2: with the score and the facts of every file.
  int verbosity = 0;
  bool statistics = false;  // a table of rules and how often each was found
  std::size_t width = 80;   // columns of the terminal
  std::string links = {};   // address of the pages of docs/rules, for links of the terminal; empty: no links
};
// One output format. A file of src/report defines one `const Renderer`; the build writes the list.
struct Renderer {
  std::string_view name;     // "json-lines"
  std::string_view summary;  // one line for --help
  std::string (*render)(const Report& report, const RenderOptions& options);
};
std::span<const Renderer* const> all_renderers();  // by name

}  // namespace wheelcheck
