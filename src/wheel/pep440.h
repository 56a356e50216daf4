// Version numbers and project names as Python packaging compares them (PEP 440, PEP 503): two spellings of one version
// or name must not be called a mismatch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// A text that is equal for equal versions: 1.0 and v1.0.0, 1.0-1 and 1.0.post1, 1.0a and 1.0alpha0. Nothing for a text
// that is no version.
std::optional<std::string> comparable_version(std::string_view text);

// Both are versions, and the same one.
bool same_version(std::string_view a, std::string_view b);

// Lower case, each run of '-', '_' and '.' as one '-'.
std::string normal_name(std::string_view text);

// Whether METADATA's Requires-Python lets any Python of the wheel's tags install it: where it does not, nobody can.

// Whether a version of digits and dots satisfies one specifier, ">=3.8"; nullopt where either cannot be read.
std::optional<bool> satisfies(std::string_view version, std::string_view specifier);

// True where some final release of a Python that the python tags stand for satisfies every specifier (PEP 440,
// "Version specifiers"), and where tag or specifier cannot be read: then nothing is known to be excluded.
bool admits_tags(std::string_view requires_python, const WheelName& name);

}  // namespace wheelcheck::wheel
