// Which release of musl or of a CUDA toolkit is required, from data/c_names and data/cuda.
#pragma once

#include <set>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::verdict {

// "550.54.14" for "12.4": the driver that came with this toolkit. For "12.x", the oldest driver that starts programs of
// any toolkit of the major version. "" if unknown.
std::string_view cuda_driver(std::string_view toolkit);
// "12.3": the toolkit that added the function to the runtime library. "" if all known ones have it.
std::string_view cuda_toolkit_with(std::string_view soname, std::string_view function);

// The releases of musl that files require. musl has no version nodes: a file requires the release that added the newest
// of the functions that it imports and the wheel does not define.
class MuslReleases {
 public:
  explicit MuslReleases(const WheelFacts& wheel);

  struct Required {
    std::string_view release, symbol;  // "" if every release has the functions
  };
  Required by(const DynamicFacts& file) const;
  // The first function that it requires and that only glibc has; "" if there is none.
  std::string_view of_glibc(const DynamicFacts& file) const;

 private:
  std::set<std::string_view> own_;  // functions of a C library that the wheel defines
};

}  // namespace wheelcheck::verdict
