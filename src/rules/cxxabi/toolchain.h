// Recognizes the libraries of the compiler and the C library, which every system has. The name may be a soname, a file
// name, or the name of a bundled copy.
#pragma once

#include <string_view>

namespace wheelcheck::rules {

enum class Toolchain {
  None,
  Libstdcxx,  // libstdc++.so.6
  Libgcc,     // libgcc_s.so.1
  Glibc,      // libc.so.6 and the parts of glibc in separate libraries
  Musl,       // libc.musl-*.so.1, ld-musl-*
  Loader,     // ld-linux*, ld64*
};
// "foo.libs/libstdc++-1a2b3c4d.so.6.0.28" is Libstdcxx. Names without a version ("libc.so", "libutil.so") are not
// recognized, because other projects use them too.
Toolchain toolchain_of(std::string_view library);
// The system's name of the library: libstdc++.so.6; "" if it does not have a single one.
std::string_view system_name(std::string_view library);

}  // namespace wheelcheck::rules
