// Plans in which one distribution is the first that a process imports: only what its Python code imports is loaded
// before its modules.
#pragma once

#include <span>
#include <vector>

#include "wheelcheck/load_plan.h"

namespace wheelcheck::import_plan {

// One plan per distribution. Modules that the imports do not reach are left out. The options are those of plan_imports,
// which accepted them.
std::vector<LoadPlan> plan_first_imports(const Installation& installation, const LoadPlanOptions& options,
                                         std::span<const DistributionIndex> distributions);

}  // namespace wheelcheck::import_plan
