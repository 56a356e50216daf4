// Names of glibc's parts that have a file of their own. The interpreter is linked with them (libm, and before
// glibc 2.34 libdl, libpthread, librt), so a module that forgot to name one works wherever there is a CPython.
#pragma once

#include <string_view>

namespace wheelcheck::rules {

bool is_of_glibcs_parts(std::string_view symbol);

}  // namespace wheelcheck::rules
