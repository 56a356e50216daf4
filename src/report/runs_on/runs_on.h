// `wheelcheck runs-on WHEEL...`: the systems on which wheels run, and on which of them pip installs them.
#pragma once

#include <cstddef>
#include <span>
#include <string>

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

}  // namespace wheelcheck::report
