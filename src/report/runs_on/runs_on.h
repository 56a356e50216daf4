// `wheelcheck runs-on WHEEL...`: the systems on which wheels run, and on which of them pip installs them.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::report {

struct Compatibility {
  const WheelReport& wheel;
  WheelCompatibility reach;
};
struct RunsOnOptions {
  std::span<const KnownSystem> systems;  // that the reaches point into
  std::string today;                     // with which ends of support were compared; empty: with none
  std::size_t ended = 0;                 // systems left out because their support had ended
  bool colour = false;
};
std::string render_runs_on_text(std::span<const Compatibility> wheels, const RunsOnOptions& options);
std::string render_runs_on_json(std::span<const Compatibility> wheels, const RunsOnOptions& options);

// The words for what a wheel asks of a system.

std::string_view name_of(SystemRequirement::Kind kind);  // "version", "c-library" ...
// GLIBC_2.34, linked for glibc, a CPU of x86-64-v3. Escaped.
std::string ask_text(const SystemRequirement& ask);
// foo/x.so (pthread_create) and 2 more files. Escaped.
std::string asker_text(const WheelFacts& wheel, const SystemRequirement& ask);

}  // namespace wheelcheck::report
