// The flags of dlopen, as glibc's bits/dlfcn.h has them on every machine but MIPS.
#pragma once

#include <cstdint>

namespace wheelcheck {

inline constexpr std::uint32_t rtld_lazy = 0x1, rtld_now = 0x2, rtld_noload = 0x4, rtld_deepbind = 0x8,
                               rtld_global = 0x100, rtld_nodelete = 0x1000;

}  // namespace wheelcheck
