// Calls of dlopen, dlmopen and dlsym(RTLD_NEXT) in the machine code of x86-64 and AArch64.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// Sorted, each once.
std::vector<LoaderCall> read_loader_calls(const File& file, const Image& image, std::span<const Segment> segments,
                                          const DynamicTable& table, const Header& header, const DynamicFacts& facts);

}  // namespace wheelcheck::elf
