// What the files of a wheel ask of a system, each thing once.
#pragma once

#include <cstdint>
#include <vector>

#include "wheelcheck/reach.h"

namespace wheelcheck::verdict {

struct Asks {
  std::vector<Ask> list;
  std::vector<bool> promised;  // by `list`: the newest level of the ladder has that library
};
// Of the files that a system with that C library may load; of the other files only, as CLibrary, that they are for
// another one, where the wheel has none for this.
Asks asks_of(const WheelReport& wheel, const Assessment* assessment, Arch arch, Libc libc);

}  // namespace wheelcheck::verdict
