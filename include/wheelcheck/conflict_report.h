// The command `wheelcheck conflicts`: its settings and its report. The command loads several distributions into one
// modelled process and reports what they do to each other. The report contains everything that a renderer may show.
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
  Settings settings;  // limits, threads, knowledge, rule selection, exit status
  LoadPlanOptions load_plan;
  // Also open the modules of the standard library, after all others. With a single distribution they are always opened.
  bool stdlib = false;
  std::string python, sysroot;             // as in RuntimeInput
  std::string environment;                 // a directory whose installed distributions are added; empty: none
  std::vector<std::string> distributions;  // names in `environment`: these and what they require; empty: all
  std::vector<std::string> traced;         // symbols whose look-ups are reported step by step
  // Hypothetical changes of files, as the user wrote them, that are applied before the run.
  std::vector<std::string> what_if;
  bool allow_incomplete = false;  // an incomplete answer does not give exit code 1
};

// The overall answer. Warnings are findings, but they are not conflicts.
enum class ConflictAnswer { None, Incomplete, Conflict };
std::string_view name_of(ConflictAnswer answer);  // "no conflict found", "incomplete", "conflict"

struct ConflictReport {
  std::string version;  // of wheelcheck
  Conflicts conflicts;
  std::vector<std::string> traced, what_if;
  std::vector<Finding> findings;  // worst first, then by code, then by place
  std::size_t errors = 0, warnings = 0, notes = 0;
  ConflictAnswer answer = ConflictAnswer::None;
  bool failed = false;  // a finding at or above Settings::fail_on, or an incomplete answer that is not allowed
};

// Reads the wheels and unpacked wheels at `paths`, loads what their Python code opens into one modelled process, and
// runs the rules about several wheels. Errors: Usage, an input that cannot be read, and those of load_knowledge and
// load_policies.
Result<ConflictReport> check_conflicts(std::span<const std::string> paths, const ConflictSettings& settings);

// The outcome of the first load plan without what is only assumed (Conflicts::assumed_files).
process::Outcome first_outcome(const Conflicts& conflicts);

}  // namespace wheelcheck
