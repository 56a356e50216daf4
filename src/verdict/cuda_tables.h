// What NVIDIA publishes of the releases of the CUDA toolkit: data/cuda.
#pragma once

#include <string_view>

namespace wheelcheck::verdict {

// "550.54.14" for "12.4": the driver that came with this toolkit. For "12.x", the oldest driver that starts programs of
// any toolkit of the major version. "" if unknown.
std::string_view cuda_driver(std::string_view toolkit);
// "12.3": the toolkit that added the function to the runtime library. "" if all known ones have it.
std::string_view cuda_toolkit_with(std::string_view soname, std::string_view function);

}  // namespace wheelcheck::verdict
