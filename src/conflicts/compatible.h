// Whether distributions can be in one process at all.
#pragma once

#include <span>

#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::conflicts {

// Refuses wheels of another system, of different machines, of different C libraries, and those for a C library whose
// loader is not modelled: an answer about them would be made up.
Result<void> can_share_a_process(std::span<const WheelFacts> wheels);

}  // namespace wheelcheck::conflicts
