// Distributions laid out beside each other as an installer would, with what stands around them.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::conflicts {

// Files of another machine than the first extension module's, and what no loader maps, are left out of the world. A
// path that two distributions hold is the first one's.
Result<Installation> install(std::vector<Distribution> distributions, const SurroundingsInput& around);

// Whether distributions can be in one process at all.

// Refuses wheels of another system, of different machines, of different C libraries, and those for a C library whose
// loader is not modelled: an answer about them would be made up.
Result<void> can_share_a_process(std::span<const WheelFacts> wheels);

// Which CPython runs the process, as far as the tags of what is in it tell.

// Of PEP 425's tags: cp312-cp312 is for 3.12 alone, cp312-abi3 for that and what comes after it, py3-none for all. Tags
// of other interpreters, and of Python 2, say nothing.
PythonReleases pythons_of(const WheelName& name);

// Those that all are for. Where there is none, the newest that one of them needs.
PythonReleases pythons_of(std::span<const Distribution> distributions);

}  // namespace wheelcheck::conflicts
