// Whether METADATA's Requires-Python lets any Python of the wheel's tags install it: where it does not, nobody can.
#pragma once

#include <optional>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// Whether a version of digits and dots satisfies one specifier, ">=3.8"; nullopt where either cannot be read.
std::optional<bool> satisfies(std::string_view version, std::string_view specifier);

// True where some final release of a Python that the python tags stand for satisfies every specifier (PEP 440,
// "Version specifiers"), and where tag or specifier cannot be read: then nothing is known to be excluded.
bool admits_tags(std::string_view requires_python, const WheelName& name);

}  // namespace wheelcheck::wheel
