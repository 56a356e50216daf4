// What each ELF file is in its wheel: who loads it decides how it is judged, and its name may give the C library away.
#pragma once

#include <cstdint>
#include <string_view>

#include "archive/archive.h"
#include "wheelcheck/elf.h"
#include "wheelcheck/member.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// `installed` is the path below the prefix, `site_packages` the part of it that modules are imported from.
ElfRole role_of(const ElfFacts& facts, std::string_view installed, std::string_view site_packages);

// The C library that the file was built for: what it says itself, else what its name says, else what the wheel's name
// claims where that decides it.
Libc libc_of(const ElfFacts& facts, std::string_view file_name, const WheelName& name);

// The name's extension says text, source, bytecode, data or picture: no audit by name would look for an ELF file there.
bool is_disguise(std::string_view file_name);

// What a member is that no loader maps and yet is code or holds it: nested archives, other systems' programs, device
// code.

// Of a member that is not an ELF file. `name`: without directories. `size`: bytes.
ForeignKind foreign_kind(std::string_view name, std::uint64_t size, const archive::Start& start, bool elf_inside);

}  // namespace wheelcheck::wheel
