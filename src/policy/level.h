// What one policy file says: a level of one C library, for every architecture that it names. Levels become the levels
// of the policy families; they live only while policies are loaded.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/policies.h"

namespace wheelcheck::policy {

// By C library, oldest first. A level takes the place of an earlier one that shares its name or an alias; of two with
// the same libc the later stands on the newer side.
std::vector<Level> in_order(std::vector<Level> levels);

// LevelSets of `levels`: one for each C library and architecture, `linux` first, then newest to oldest. A level takes
// the place of an earlier one that shares its name or an alias; of two with the same libc the later asks less.
std::vector<PolicyLevels> level_sets_of(std::vector<Level> levels);

// The level that promises nothing.
Policy linux_policy(PlatformTag::Family family);

// Fills in what a name of the form manylinux_2_17, musllinux_1_2 or android_21 says; the old names of PEP 600
// (manylinux2014) become aliases of the new. False if it is a name of another form.
bool read_level_name(const std::string& name, Level& level);

}  // namespace wheelcheck::policy
