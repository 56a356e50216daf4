// The path of the loader that the systems of a machine have.
#pragma once

#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// "" for an unknown machine.
std::string_view glibc_loader(Arch arch);
// By the C library and the machine of a file; "" if they are unknown.
std::string_view standard_loader(const ElfMember& elf);

}  // namespace wheelcheck
