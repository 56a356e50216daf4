// A module of a distribution whose own import opens none: users import some of its modules and not others
// (PyQt5.QtCore). A plan that opens all of them has each library that another distribution has too, and hides what the
// other one's libraries lack when only some are there.
#pragma once

#include <span>
#include <vector>

#include "import_plan/distribution_files.h"
#include "wheelcheck/installation.h"

namespace wheelcheck::import_plan {

struct LoneModule {
  DistributionIndex distribution;
  ModuleFile module;                      // of its modules, the one with the fewest libraries that others have too
  std::vector<DistributionIndex> others;  // that have them, in the order of the installation
};

// At most one for each distribution. files: by distribution.
std::vector<LoneModule> lone_modules(const Installation& installation, std::span<const DistributionFiles> files);

}  // namespace wheelcheck::import_plan
