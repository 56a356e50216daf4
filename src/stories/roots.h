// Where imports begin: the packages that the user of a distribution imports.
#pragma once

#include <vector>

#include "imports/modules.h"

namespace wheelcheck::stories {

// The package that has the distribution's name; else all that stand at the top, or below directories that are shared
// between distributions; in alphabetical order.
std::vector<imports::ModuleId> roots_of(const imports::Modules& modules, std::uint32_t party);

}  // namespace wheelcheck::stories
