// Instructions for newer processors in the code that runs when a file is loaded.
#pragma once

#include <optional>
#include <span>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

std::optional<StartupInstruction> read_startup_code(const File& file, const Image& image,
                                                    std::span<const Segment> segments, const DynamicTable& table,
                                                    const Header& header, const DynamicFacts& facts);

}  // namespace wheelcheck::elf
