// Where imports begin: the packages that the user of a distribution imports.
#pragma once

#include <vector>

#include "import_plan/modules.h"

namespace wheelcheck::import_plan {

// The package that has the distribution's name; else all that stand at the top, or below directories that are shared
// between distributions; in alphabetical order.
std::vector<ModuleId> roots_of(const Modules& modules, std::uint32_t party);

}  // namespace wheelcheck::import_plan
