// Compares the software bills of materials of a wheel (PEP 770) with its bundled libraries.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "rules/common.h"

namespace wheelcheck::rules {

struct SbomMatch {
  // Bundled libraries that no part fits by its name, and how many of them are not listed for certain: a part may name
  // the package of a distribution, whose name need not resemble the file.
  std::vector<ElfIndex> unnamed;
  std::size_t certain = 0;
  // Parts that name a library that the wheel does not contain, as text, and the file that lists them.
  struct Absent {
    MemberIndex sbom;
    std::string what;
  };
  std::vector<Absent> absent;
};
SbomMatch match_sboms(const WheelView& view);

}  // namespace wheelcheck::rules
