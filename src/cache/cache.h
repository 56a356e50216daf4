// Stores the facts of wheels that were read before, under the hash of the wheel's content. For an unchanged wheel
// nothing is inflated and no ELF file is read again. If an entry is absent or damaged, the wheel is read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::cache {

struct CacheLocation {
  std::string directory;
  std::uint64_t max_bytes = 0;  // limit for all entries together
};

// Creates the directory if it does not exist. Errors appear when it is used.
void prepare(const CacheLocation& place);
// Why the directory is not used: who else may have written to it; "" if nobody.
std::string distrust(const CacheLocation& place);

// An open wheel: its name and its descriptor.
struct Wheel {
  std::string path;
  int descriptor = -1;  // owned by the caller; negative: none, and nothing is stored
};

// What facts were read from.
struct Content {
  std::string file;                    // name of the wheel, or of a distribution of an environment
  std::string sha256;                  // of everything that is read, lower-case hex
  std::uint64_t size = 0;              // of the wheel; 0: a distribution
  std::function<bool()> is_unchanged;  // whether it still is what was hashed
};

// Files, by what the file system says of them.
struct FileState {
  std::string sha256;        // of their names, inodes, sizes, modes and times, lower-case hex
  std::int64_t changed = 0;  // when the last change was, in seconds since the epoch
  std::function<bool()> is_unchanged;
};

// The SHA-256 that an earlier run computed of files in this state, or that of compute(), which is stored. Files that
// changed just now could change again within the resolution of the clock: what is computed of them is not stored.
Result<std::string> digest(const FileState& state, const CacheLocation& place,
                           const std::function<Result<std::string>()>& compute);

// Returns the stored facts, or calls read_content() and stores its result. The facts depend on the limits. Stored facts
// have no path.
Result<WheelFacts> read(const Content& content, const Limits& limits, const CacheLocation& place,
                        const std::function<Result<WheelFacts>()>& read_content);
// The same for a wheel.
Result<WheelFacts> read(const Wheel& wheel, const Limits& limits, const CacheLocation& place,
                        const std::function<Result<WheelFacts>()>& read_wheel);

// The facts in an entry, of any wheel; nothing if it is damaged. The facts have no path.
std::optional<WheelFacts> facts_of(std::string_view entry);

}  // namespace wheelcheck::cache
