// Reading an environment with more options than the library has.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::wheel {

// The files of a distribution, by what the file system says of them.
struct InstalledState {
  std::string sha256;        // of their names, inodes, sizes, modes and times
  std::int64_t changed = 0;  // when the last change was, in seconds since the epoch
  std::function<bool()> is_unchanged;
};
// Returns the SHA-256 that an earlier run computed of files in this state, or that of `compute`.
using DigestStore = std::function<Result<std::string>(const InstalledState& state,
                                                      const std::function<Result<std::string>()>& compute)>;

// The files of a distribution, by content.
struct InstalledContent {
  std::string file;    // as WheelFacts::file
  std::string sha256;  // of everything that is read
  Limits limits;
  std::function<bool()> is_unchanged;  // whether the files are still those that were hashed
};
// Returns the facts of the same content from an earlier run, or those of `read`.
using FactsStore =
    std::function<Result<WheelFacts>(const InstalledContent& content, const std::function<Result<WheelFacts>()>& read)>;

struct EnvironmentOptions {
  // Also distributions that contain neither machine code nor code that changes how it is opened. Their imports may lead
  // to others.
  bool every = false;
  FactsStore store;                           // empty: files are read, and none is hashed
  DigestStore digests;                        // not empty if `store` is not
  std::set<std::string>* left_out = nullptr;  // takes the normalised names of the distributions that are not returned
};

// As read_environment_distributions.
Result<std::vector<WheelFacts>> read_environment(const std::string& directory, std::span<const std::string> names,
                                                 const Limits& limits, unsigned jobs, const Progress& progress,
                                                 const EnvironmentOptions& options);

}  // namespace wheelcheck::wheel
