// The highest version node of each family that a file requires of the platform. It decides which levels the file can
// meet, so reports show it with the symbols that require it.
#pragma once

#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

// The highest version node of one family, and the imports that require it.
struct Floor {
  std::string_view node;
  std::vector<std::string_view> symbols;  // sorted
};
// The highest version nodes by family. A node without a number (GLIBC_PRIVATE) is a family of its own. Nodes of
// libraries that are part of the run are excluded, because the platform does not have to provide them. The views point
// into the facts of the wheel.
std::map<std::string_view, Floor, NaturalLess> floors_of(const WheelReport& wheel, ElfIndex elf);
// The DT_NEEDED entries of the file that a library of the wheel or of another wheel of the run satisfies.
std::set<std::string_view> answered_here(const WheelReport& wheel, ElfIndex elf);

}  // namespace wheelcheck
