// The report of `wheelcheck check`: everything that a renderer may show, and the interface of renderers. All decisions
// are made before rendering; a renderer only formats.
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

// A finding that an ignore rule excludes, and the rule.
namespace wheelcheck {

struct IgnoredFinding {
  Finding finding;
  IgnoreRule by;
  // The result for one wheel.
};
struct WheelReport {
  WheelFacts facts;
  Resolution resolution;
  std::vector<Assessment> assessments;
  Verdict verdict;
  Analysis analysis;
  std::vector<Finding> findings;                      // worst first, then by code, then by place
  std::optional<Severity> fail_on = Severity::Error;  // the lowest severity that fails the wheel; nullopt: none
  bool failed = false;                                // a finding has that severity or a higher one
  // The following are not in `findings`: they are not counted and do not fail the wheel.
  std::vector<IgnoredFinding> ignored;     // excluded by an ignore rule
  std::vector<Finding> known;              // listed in the baseline
  std::vector<KnownFinding> resolved;      // listed in the baseline, but no longer found
  std::vector<KnownFinding> new_baseline;  // what a new baseline would contain; only if one is requested
};
// An input that cannot be read as a wheel.
struct Unreadable {
  std::string path;
  Error error;
  // The input was opened, but its content is rejected: finding WC703, which fails the run (exit 1). Otherwise the input
  // could not be opened, or it is not meant to be a wheel (exit 3).
  bool refused() const {
    return error.code == ErrorCode::Rejected || error.code == ErrorCode::OverLimit ||
           (error.code == ErrorCode::NotAWheel && path.ends_with(".whl"));
  }
};
// The result for all inputs.
struct Report {
  std::string version;  // of wheelcheck
  // In the order of the inputs. Exactly one of the two is set.
  struct Entry {
    std::optional<WheelReport> wheel;
    std::optional<Unreadable> unreadable;
  };
  std::vector<Entry> entries;
  std::size_t errors = 0, warnings = 0, notes = 0;  // number of findings over all wheels
  // The --provider wheels. ElfRef::wheel 0 is the wheel itself, n is providers[n - 1].
  std::vector<WheelFacts> providers;
  std::optional<ConfigFile> configuration;
  std::optional<std::string> baseline;  // base name
};

struct RenderOptions {
  bool colour = false;
  bool facts_only = false;  // for `show`: facts and verdict first, findings as remarks
  // The amount of detail in the text output. -1: only the last line. 0: findings grouped, notes counted. 1: every
  // finding with its evidence, and notes. 2: also the score and the facts of every file.
  int verbosity = 0;
  bool statistics = false;  // a table of rules and the number of their findings
  bool unreadable = true;   // false: text without the inputs that cannot be opened, which stderr has
  std::size_t width = 80;   // columns of the terminal
  std::string links = {};   // URL of the pages of docs/rules, for terminal links; empty: no links
};
// One output format. Each is a file of src/report that defines one `const Renderer`; the build generates the list.
struct Renderer {
  std::string_view name;     // "json-lines"
  std::string_view summary;  // one line for --help
  std::string (*render)(const Report& report, const RenderOptions& options);
};
std::span<const Renderer* const> all_renderers();  // by name

}  // namespace wheelcheck
