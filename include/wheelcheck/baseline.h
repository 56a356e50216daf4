// Findings that a project knows and lives with for now: they do not fail a run, new ones do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace wheelcheck {

struct KnownFinding {
  std::string fingerprint;      // the same in the next release (report/shared/baseline.h)
  std::string wheel;            // which of the project's wheels: "gridfit cp311-cp311-manylinux_x86_64"
  std::string code;             // of the rule
  std::string member, message;  // for readers; nothing is compared with them
  std::uint32_t count = 1;      // findings that nothing tells apart but their words
};
struct Baseline {
  std::string file;  // base name
  std::vector<KnownFinding> findings;
};

}  // namespace wheelcheck
