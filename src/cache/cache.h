// Facts of wheels that were read before, by the bytes of the wheel. Of a wheel that did not change nothing is inflated
// and no ELF file is looked at. A wheel whose facts are not there, or not whole, is read.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::cache {

struct Place {
  std::string directory;
  std::uint64_t most_bytes = 0;  // all entries together
};

// Where the directory is not there, makes it; whether that went well is seen where it is used.
void prepare(const Place& place);

// A wheel that is open: what it is called, and where its bytes are read.
struct Wheel {
  std::string path;
  int descriptor = -1;  // stays whoever's it is; negative: none, and nothing is kept
};

// What read_wheel() gives of the wheel under these limits.
Result<WheelFacts> read(const Wheel& wheel, const Limits& limits, const Place& place,
                        const std::function<Result<WheelFacts>()>& read_wheel);

// What an entry holds, whoever read the wheel; nothing where it is not whole. The facts have no path.
std::optional<WheelFacts> facts_of(std::string_view entry);

}  // namespace wheelcheck::cache
