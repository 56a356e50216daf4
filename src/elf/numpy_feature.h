// The NumPy version that a module was compiled for, where only its machine code contains it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// NPY_FEATURE_VERSION of a module that was compiled with headers of NumPy before 1.25; of several, the lowest. nullopt:
// the module has no such check, or its code has another form. x86-64 and AArch64.
std::optional<std::uint32_t> read_numpy_feature(const File& file, const Image& image, std::span<const Segment> segments,
                                                const Header& header, const TextFacts& texts);

}  // namespace wheelcheck::elf
