// Facts that only sections hold: what compilers wrote about themselves, and how much of the file is for debuggers.
#pragma once

#include <cstddef>
#include <span>

#include "elf/header.h"
#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

SectionFacts section_facts(const File& file, std::span<const Section> sections, StringPool& pool);

}  // namespace wheelcheck::elf
