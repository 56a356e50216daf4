// Comparison of version numbers and project names as in Python packaging (PEP 440, PEP 503). One version or name can be
// spelled in several ways, and a different spelling must not be reported as a mismatch.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "wheelcheck/wheel.h"

namespace wheelcheck::wheel {

// A canonical text, equal for equal versions: 1.0 and v1.0.0, 1.0-1 and 1.0.post1, 1.0a and 1.0alpha0. Nothing if the
// text is not a version.
std::optional<std::string> comparable_version(std::string_view text);

// True if both are versions and they are equal.
bool same_version(std::string_view a, std::string_view b);

// Lower case, with each run of '-', '_' and '.' replaced by one '-'.
std::string normal_name(std::string_view text);

// Checks METADATA's Requires-Python against the wheel's tags. If it excludes every Python of the tags, nobody can
// install the wheel.

// Whether a version of digits and dots satisfies one specifier such as ">=3.8"; nullopt if either cannot be parsed.
std::optional<bool> satisfies(std::string_view version, std::string_view specifier);

// True if some final release of a Python that the python tags denote satisfies every specifier (PEP 440, "Version
// specifiers"). Also true if a tag or specifier cannot be parsed, because then nothing is known to be excluded.
bool admits_tags(std::string_view requires_python, const WheelName& name);

}  // namespace wheelcheck::wheel
