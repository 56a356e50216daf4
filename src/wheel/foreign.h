// What a member is that no loader maps and yet is code or holds it: nested archives, other systems' programs, device
// code.
#pragma once

#include <cstdint>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/member.h"

namespace wheelcheck::wheel {

// Of a member that is not an ELF file. `name`: without directories. `size`: bytes.
ForeignKind foreign_kind(std::string_view name, std::uint64_t size, const archive::Start& start, bool elf_inside);

}  // namespace wheelcheck::wheel
