// Checks the values of Requires-Dist and Requires-Python. Their syntax is the grammar of PEP 508 and the version
// specifiers of PEP 440, as `packaging` parses them. The environment markers are also evaluated, because a dependency
// may apply only to some platforms, Python versions or extras.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::wheel {

// "" if the text is valid, else the problem as a phrase that follows the field's name and value: "has the invalid
// specifier >1.x".
std::string requirement_problem(std::string_view requirement);  // foo[bar]>=1.0; python_version < "3.12"
std::string specifiers_problem(std::string_view specifiers);    // >=3.8,!=3.9.0

// Environment markers of Requires-Dist (PEP 508), which decide whether a dependency applies to an environment.

// Evaluates a marker for CPython on Linux. `python` is "3.11", or empty if unknown. `extra` is the normalised extra for
// which the marker is evaluated, or "". False only if the marker is known to be false. Values that are unknown here
// (machine, kernel) and texts that are not markers give true.
bool accepts(std::string_view marker, std::string_view python, std::string_view extra);

// Whether the text is a valid marker: the grammar and the variable names of PEP 508.
bool is_marker(std::string_view text);

}  // namespace wheelcheck::wheel
