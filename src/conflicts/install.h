// Builds an Installation: places the files of distributions as an installer would, and adds the interpreter and the
// platform.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/installation.h"
#include "wheelcheck/result.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::conflicts {

// Files for another machine than that of the first extension module, and files that no loader maps, are not added to
// the world. If two distributions have the same path, the first one's file is used. Errors: as add_runtime.
Result<Installation> install(std::vector<Distribution> distributions, const RuntimeInput& around);

// --- whether distributions can be in one process ------------------------------------------------------------------

// The C library of the process; glibc if the wheels do not determine it. Error: Usage for wheels of another operating
// system, of Python 2 alone, of different machines or C libraries, or for a C library whose loader is not modelled. A
// result for them would have no basis.
Result<Libc> can_share_a_process(std::span<const WheelFacts> wheels);

// --- the CPython releases, as far as the tags determine them ------------------------------------------------------

// From the tags of PEP 425: cp312-cp312 is only for 3.12, cp312-abi3 is for 3.12 and later, py3-none for all. Tags of
// other interpreters and of Python 2 are ignored.
PythonReleases pythons_of(const WheelName& name);

// The releases that all distributions are for. If there is none, the newest one that a distribution requires.
PythonReleases pythons_of(std::span<const Distribution> distributions);

}  // namespace wheelcheck::conflicts
