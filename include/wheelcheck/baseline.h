// A baseline: a file of known findings that do not fail a run. A project that starts to use wheelcheck writes its
// present findings into a baseline, and from then on only new findings fail. Findings are recognised by a fingerprint
// that does not change from release to release.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wheelcheck {

struct KnownFinding {
  std::string fingerprint;      // identical in the next release of the wheel (report/shared/baseline.h)
  std::string wheel;            // which wheel of the project: "gridfit cp311-cp311-manylinux_x86_64"
  std::string code;             // code of the rule
  std::string member, message;  // for readers only; they are not compared
  std::uint32_t count = 1;      // number of findings that differ only in their message
};
struct Baseline {
  std::string file;  // base name
  std::vector<KnownFinding> findings;
};

}  // namespace wheelcheck
