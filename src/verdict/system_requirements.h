// What the files of a wheel ask of a system, each thing once.
#pragma once

#include <cstdint>
#include <vector>

#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::verdict {

struct SystemRequirements {
  std::vector<SystemRequirement> list;
  std::vector<bool> promised;  // by `list`: the newest level of the policy family has that library
};
// Of the files that a system with that C library may load; of the other files only, as CLibrary, that they are for
// another one, where the wheel has none for this.
SystemRequirements asks_of(const WheelReport& wheel, const Assessment* assessment, Arch arch, Libc libc);

}  // namespace wheelcheck::verdict
