// How much the names of an ELF file take in a report.
#pragma once

#include <cstddef>
#include <cstdint>

#include "wheelcheck/elf.h"

namespace wheelcheck {

// The libraries that are read of one file. A report has some 800 bytes for each.
inline constexpr std::size_t max_libraries = 16'384;

// The memory, in bytes, that a JSON report needs for what the file names: libraries, versions, directories, imports.
std::uint64_t name_cost(const ElfFacts& facts);

}  // namespace wheelcheck
