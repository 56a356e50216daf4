// The run over several wheels in one process: what it is asked, and everything that a renderer may show of it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck {

struct ConflictSettings {
  Settings settings;  // limits, threads, knowledge, which rules, when to fail
  LoadPlanOptions load_plan;
  bool stdlib = false;          // the standard library's modules are opened last; of one distribution they always are
  std::string python, sysroot;  // of SurroundingsInput
  std::string environment;      // a directory whose installed distributions take part; empty: none
  std::vector<std::string> distributions;  // of it: these and what they need; empty: all
  std::vector<std::string> traced;         // symbols whose look-ups are told in full
  std::vector<std::string> what_if;        // changes of files that are played before anybody builds them
  bool allow_incomplete = false;           // what is not known is no reason for exit code 1
};

// A warning is no conflict: it says so in the findings.
enum class ConflictAnswer { None, Incomplete, Conflict };
std::string_view name_of(ConflictAnswer answer);  // "no conflict found", "incomplete", "conflict"

struct ConflictReport {
  std::string version;  // of wheelcheck
  Conflicts conflicts;
  std::vector<std::string> traced, what_if;
  std::vector<Finding> findings;  // worst first, then by code, then by place
  std::size_t errors = 0, warnings = 0, infos = 0;
  ConflictAnswer answer = ConflictAnswer::None;
  bool failed = false;  // a finding at or above Settings::fail_on, or an incomplete answer that is not allowed
};

// paths: wheels and unpacked wheels. Reads them, plays what their Python code opens in one process, and judges what
// they do to each other.
Result<ConflictReport> check_conflicts(std::span<const std::string> paths, const ConflictSettings& settings);

}  // namespace wheelcheck
