// Which calls of sys.setdlopenflags in a wheel take effect when its files are imported, and what they act on.
#pragma once

#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::import_plan {

std::vector<GlobalImports> link_global_imports(const WheelFacts& wheel);

}  // namespace wheelcheck::import_plan
