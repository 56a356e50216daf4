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
};

struct ConflictReport {
  std::string version;  // of wheelcheck
  Conflicts conflicts;
  std::vector<std::string> traced;
  std::vector<Finding> findings;  // worst first, then by code, then by place
  std::size_t errors = 0, warnings = 0, infos = 0;
  bool failed = false;  // a finding at or above Settings::fail_on
};

// paths: wheels and unpacked wheels. Reads them, plays what their Python code opens in one process, and judges what
// they do to each other.
Result<ConflictReport> check_conflicts(std::span<const std::string> paths, const ConflictSettings& settings);

}  // namespace wheelcheck
