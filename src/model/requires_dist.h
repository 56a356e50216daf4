// Names of distributions, and the dependencies in an installation.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "model/pep440.h"
#include "model/requirement.h"
#include "wheelcheck/installation.h"
#include "wheelcheck/load_plan.h"

namespace wheelcheck {

// The name in the metadata, or else in the file name. For files that belong to no distribution, the name that is used
// for all such files.
std::string name_of_distribution(const WheelFacts& wheel);
// What an order of imports has at this place: the name of the distribution, or the module that stands for it.
std::string name_in_order(const Installation& installation, const LoadPlan& plan, std::size_t at);
// One flag per distribution: true if the metadata of `distribution` requires it, directly or indirectly. Dependencies
// under an extra, or on another system, do not count.
std::vector<bool> required_by(const Installation& installation, DistributionIndex distribution);
// The names of the distributions, and those of the projects for which they stand.
std::set<std::string> given_projects(const Installation& installation);
// What `distribution` requires on Linux without an extra, and what is not given; sorted by name.
std::vector<Dependency> absent_requirements(const Distribution& distribution, const std::set<std::string>& given);
// The same distributions, each after those of `order` that it requires, and otherwise in the given order. The import of
// a package imports what it needs first.
std::vector<DistributionIndex> requirements_first(const Installation& installation,
                                                  const std::vector<DistributionIndex>& order);

}  // namespace wheelcheck
