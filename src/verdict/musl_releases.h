// The releases of musl that files require. musl has no version nodes: a file requires the release that added the newest
// of the functions that it imports and the wheel does not define.
#pragma once

#include <set>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::verdict {

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
