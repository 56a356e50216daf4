// Which modules are in an environment with the requirements of a wheel, as far as it is known.
#pragma once

#include <optional>
#include <set>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::rules {

// A module of a program that contains an interpreter, of the system's packages, or of another Python: bpy, gi, java.
bool is_of_a_host(std::string_view module);
// The modules that the requirements without an extra provide, with what these require; nothing if one of them is not
// known.
std::optional<std::set<std::string_view>> provided(const Metadata& metadata);

}  // namespace wheelcheck::rules
