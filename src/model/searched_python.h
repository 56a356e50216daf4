// How much Python code the rules on imports and opened files look at (WC118, WC720, WC722 to WC725).
#pragma once

#include "wheelcheck/wheel.h"

namespace wheelcheck {

// Real code is packed to a quarter; the limits bound the time of the parser by the bytes of the archive. In a wheel
// with machine code most harm is elsewhere, and 256 KiB take 50 ms.
bool has_little_python(const WheelFacts& wheel);

}  // namespace wheelcheck
