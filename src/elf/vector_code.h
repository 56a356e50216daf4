// AVX instructions in files that do not test the processor.
#pragma once

#include <optional>
#include <span>

#include "elf/dynamic.h"
#include "elf/header.h"
#include "elf/image.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

std::optional<VectorCode> read_vector_code(const File& file, const Image& image, std::span<const Section> sections,
                                           const DynamicTable& table, const Header& header, const DynamicFacts& facts);

}  // namespace wheelcheck::elf
