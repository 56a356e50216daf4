// The libraries that come with the compiler or the C library and are on every system: by soname, file name, or the name
// that a repair tool gave a copy.
#pragma once

#include <string_view>

namespace wheelcheck::rules {

enum class Toolchain {
  None,
  Libstdcxx,  // libstdc++.so.6
  Libgcc,     // libgcc_s.so.1
  Glibc,      // libc.so.6 and the parts of glibc that have their own file
  Musl,       // libc.musl-*.so.1, ld-musl-*
  Loader,     // ld-linux*, ld64*
};
// "foo.libs/libstdc++-1a2b3c4d.so.6.0.28" is Libstdcxx. Names without a version ("libc.so", "libutil.so") are not
// taken: they may be anybody's.
Toolchain toolchain_of(std::string_view library);
// The name that the system has it under: libstdc++.so.6; "" for what has no single one.
std::string_view system_name(std::string_view library);

}  // namespace wheelcheck::rules
