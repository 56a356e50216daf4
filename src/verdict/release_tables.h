// Which release of a system library or toolkit is required: data/cuda and data/c_names.
#pragma once

#include <string_view>

namespace wheelcheck::verdict {

// "550.54.14" for "12.4": the driver that came with this toolkit. For "12.x", the oldest driver that starts programs of
// any toolkit of the major version. "" if unknown.
std::string_view cuda_driver(std::string_view toolkit);
// "12.3": the toolkit that added the function to the runtime library. "" if all known ones have it.
std::string_view cuda_toolkit_with(std::string_view soname, std::string_view function);

// "1.2.3": the release of musl that added the function. "" if every release since 1.1.0 has it, or none.
std::string_view musl_with(std::string_view function);
// True for a function that glibc has and no release of musl.
bool only_glibc_has(std::string_view function);

}  // namespace wheelcheck::verdict
