// Names of the glibc parts that have their own shared library: libm, and before glibc 2.34 libdl, libpthread and librt.
// CPython itself is linked with them, so a module that does not list one in DT_NEEDED still works in every CPython
// process.
#pragma once

#include <string_view>

namespace wheelcheck::rules {

bool is_of_glibcs_parts(std::string_view symbol);

}  // namespace wheelcheck::rules
