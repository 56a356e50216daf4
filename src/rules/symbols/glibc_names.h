// Names of the glibc parts that have their own shared library: libm, and before glibc 2.34 libdl, libpthread and librt.
// CPython itself is linked with libm, libdl, libpthread and libutil, so a module that does not list one of them in
// DT_NEEDED still works in every CPython process. It is not linked with librt (python3.9 of Debian 11: libpthread,
// libdl, libutil, libm).
#pragma once

#include <string_view>

namespace wheelcheck::rules {

bool is_of_glibcs_parts(std::string_view symbol);
// Of librt before 2.34, without those that moved to libc in 2.17 (clock_gettime).
bool is_of_librt(std::string_view symbol);

}  // namespace wheelcheck::rules
