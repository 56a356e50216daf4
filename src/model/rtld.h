// The flags of dlopen, with the values of glibc's bits/dlfcn.h. They are the same on every machine except MIPS.
#pragma once

#include <cstdint>

namespace wheelcheck {

inline constexpr std::uint32_t rtld_lazy = 0x1, rtld_now = 0x2, rtld_noload = 0x4, rtld_deepbind = 0x8,
                               rtld_global = 0x100, rtld_nodelete = 0x1000;

}  // namespace wheelcheck
