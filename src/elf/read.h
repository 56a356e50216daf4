// The door of this room: the bytes of one ELF file in, what it says to the loader out. Reading never fails; what cannot
// be read is a Flaw among the facts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "wheelcheck/elf.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::elf {

// 7F 'E' 'L' 'F', whatever follows.
bool has_elf_magic(std::span<const std::byte> head);

// Takes bytes of the file, from `begin` to `end`, that are machine code and will not be looked at any more.
using Forget = std::function<void(std::uint64_t begin, std::uint64_t end)>;

// `image` is the whole file. A Flaw is fatal where ld.so would refuse the file or bind it wrongly because of it.
// `forget` is called before texts are copied, so that the file's code and its names need not be in memory at once.
ElfFacts read_elf(std::span<const std::byte> image, const Limits& limits, const Forget& forget = {});

}  // namespace wheelcheck::elf
