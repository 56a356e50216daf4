// Distributions laid out beside each other as an installer would, with what stands around them.
#pragma once

#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/result.h"

namespace wheelcheck::conflicts {

// Files of another machine than the first extension module's, and what no loader maps, are left out of the world. A
// path that two distributions hold is the first one's.
Result<Installation> install(std::vector<Party> parties, const SurroundingsInput& around);

}  // namespace wheelcheck::conflicts
