// Compares two releases of a wheel. The input is the facts of both; the output is plain data.
#pragma once

#include "diff/internal.h"

namespace wheelcheck::diff {

Diff compare(const WheelReport& old, const WheelReport& now, const Knowledge& knowledge, const Attribute& attribute,
             const Identity& identity);

}  // namespace wheelcheck::diff
