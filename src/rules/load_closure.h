// The files of a wheel that the loader opens for one of its files.
#pragma once

#include <set>
#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// These files, and the libraries of the wheel that the loader finds for them.
std::set<ElfIndex> loaded_with(const WheelView& view, std::vector<ElfIndex> files);
// What is loaded when the extension modules are imported.
std::set<ElfIndex> loaded_by_import(const WheelView& view);

}  // namespace wheelcheck::rules
