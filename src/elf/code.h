// Which bytes of a file are machine code and nothing else, so that nobody who reads facts needs them.
#pragma once

#include <optional>
#include <span>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/places.h"

namespace wheelcheck::elf {

// The largest section of code, unless anything else that the file names lies in it as well: a header, another section
// or segment, the start of a table of the dynamic section.
std::optional<FileRange> code_alone(std::span<const std::byte> file, const Header& header,
                                    std::span<const Segment> segments, std::span<const Section> sections,
                                    const DynamicTable& table);

}  // namespace wheelcheck::elf
