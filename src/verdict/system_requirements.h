// The requirements of a wheel's files on a system, without repetitions. `runs-on` compares them with what each Linux
// distribution provides.
#pragma once

#include <cstdint>
#include <vector>

#include "wheelcheck/system_compatibility.h"

namespace wheelcheck::verdict {

struct SystemRequirements {
  std::vector<SystemRequirement> list;
  std::vector<bool> promised;  // parallel to `list`: the newest level of the policy family contains that library
};
// Covers the files that a system with that C library may load. If the wheel has files only for another C library, the
// result contains that as a requirement of kind CLibrary.
SystemRequirements requirements_of_system(const WheelReport& wheel, const Assessment* assessment, Arch arch, Libc libc);

}  // namespace wheelcheck::verdict
