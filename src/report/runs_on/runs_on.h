// The output of `wheelcheck runs-on WHEEL...`: the systems on which wheels run, and on which of them pip installs them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "report/shared/text.h"
#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::report {

struct Compatibility {
  const WheelReport& wheel;
  WheelCompatibility reach;
};
struct RunsOnOptions {
  std::span<const KnownSystem> systems;  // the `reach` members point into it
  std::string today;                     // the date for comparison with end-of-life dates; empty: not compared
  std::size_t ended = 0;                 // number of systems left out because they are past their end of life
  Paint paint = {};
  bool fail_on_broken = false;
};
std::string render_runs_on_text(std::span<const Compatibility> wheels, const RunsOnOptions& options);
std::string render_runs_on_json(std::span<const Compatibility> wheels, const RunsOnOptions& options);

// Texts for the requirements of a wheel on a system.

std::string_view name_of(SystemRequirement::Kind kind);  // "version", "c-library" ...
// GLIBC_2.34, linked for glibc, a CPU of x86-64-v3. Escaped.
std::string requirement_text(const SystemRequirement& system_requirement);
// foo/x.so (pthread_create) and 2 more files. Escaped.
std::string required_by_text(const WheelFacts& wheel, const SystemRequirement& system_requirement);

}  // namespace wheelcheck::report
