// Which CPython runs the process, as far as the tags of what is in it tell.
#pragma once

#include <span>

#include "wheelcheck/installation.h"

namespace wheelcheck::conflicts {

// Of PEP 425's tags: cp312-cp312 is for 3.12 alone, cp312-abi3 for that and what comes after it, py3-none for all. Tags
// of other interpreters, and of Python 2, say nothing.
PythonReleases pythons_of(const WheelName& name);

// Those that all are for. Where there is none, the newest that one of them needs.
PythonReleases pythons_of(std::span<const Party> parties);

}  // namespace wheelcheck::conflicts
