// Levels and their order. A level is the content of one policy file: one C library, several architectures. Levels are
// converted to PolicyLevels, which are for one architecture.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/policies.h"

namespace wheelcheck::policy {

// Sorts by C library, oldest first. A level replaces an earlier one with the same name or alias. Of two levels with the
// same libc version, the later one counts as newer.
std::vector<Level> in_order(std::vector<Level> levels);

// One PolicyLevels per C library and architecture: `linux` first, then newest to oldest. Levels are replaced and
// ordered as in in_order.
std::vector<PolicyLevels> level_sets_of(std::vector<Level> levels);

// The level without any limits.
Policy linux_policy(PlatformTag::Family family);

// Sets the members that follow from a name of the form manylinux_2_17, musllinux_1_2 or android_21. Old names of PEP
// 600 (manylinux2014) become aliases of the new names. Returns false for a name of another form.
bool read_level_name(const std::string& name, Level& level);

}  // namespace wheelcheck::policy
