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

 private:
  std::set<std::string_view> own_;  // functions of musl that the wheel defines
};

}  // namespace wheelcheck::verdict
