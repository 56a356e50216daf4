// What changed between two releases of a wheel: the facts of both in, plain data out.
#pragma once

#include "diff/internal.h"

namespace wheelcheck::diff {

Diff compare(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge, const Attribute& attribute,
             const Identity& identity);

}  // namespace wheelcheck::diff
