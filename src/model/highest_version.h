// What a file of a wheel asks of the platform at the most: the highest version node of each family, and who asks for
// it.
#pragma once

#include <map>
#include <string_view>
#include <vector>

#include "wheelcheck/report.h"
#include "wheelcheck/version.h"

namespace wheelcheck {

// The highest version node of a family that a file asks of the platform, and who asks.
struct Floor {
  std::string_view node;
  std::vector<std::string_view> symbols;  // by name
};
// By family; nodes without a number (GLIBC_PRIVATE) stand for themselves. Nodes that a library of the run provides are
// left out: they ask nothing of the platform.
std::map<std::string_view, Floor, NaturalLess> floors_of(const WheelReport& wheel, ElfIndex elf);
// True if a library of the wheel or of another wheel of the run answers that DT_NEEDED of the file.
bool answered_here(const WheelReport& wheel, ElfIndex elf, std::string_view library);

}  // namespace wheelcheck
