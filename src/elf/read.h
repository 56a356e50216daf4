// The door of this room: the bytes of one ELF file in, what it says to the loader out. Reading never fails; what cannot
// be read is a Flaw among the facts.
#pragma once

#include <cstddef>
#include <span>

#include "wheelcheck/elf.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// 7F 'E' 'L' 'F', whatever follows.
bool has_elf_magic(std::span<const std::byte> head);

// `image` is the whole file. A Flaw is fatal where ld.so would refuse the file or bind it wrongly because of it.
ElfFacts read_elf(std::span<const std::byte> image, const Limits& limits);

}  // namespace wheelcheck::elf
