// The code that runs when a file is loaded: instructions for newer processors, and where it loads addresses.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

struct StartupCode {
  std::optional<StartupInstruction> instruction;
  std::vector<std::uint64_t> loads;  // addresses of the instructions that load an address (lea), sorted
};
// all_loads: `loads` is filled, also if the code tests the processor.
StartupCode read_startup_code(const File& file, const Image& image, std::span<const Segment> segments,
                              const DynamicTable& table, const Header& header, const DynamicFacts& facts,
                              bool all_loads);

}  // namespace wheelcheck::elf
