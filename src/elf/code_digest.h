// What of a shared library stays the same when patchelf and strip change it: .text, .rodata and the names of the
// dynamic symbols. It recognizes a library of a distribution in a wheel.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "wheelcheck/elf.h"

namespace wheelcheck::elf {

// SHA-256 in lower-case hex; "" if the file has no section headers, no .text or no symbols. `facts` are those of the
// file.
std::string code_digest(std::span<const std::byte> file, const ElfFacts& facts);

}  // namespace wheelcheck::elf
