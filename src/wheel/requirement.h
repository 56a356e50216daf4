// What Requires-Dist and Requires-Python may say: the grammar of PEP 508 and the version specifiers of PEP 440, as
// `packaging` reads them.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::wheel {

// "" where the text is valid, else what is wrong, to follow the field's name and value: "has the invalid specifier
// >1.x".
std::string requirement_problem(std::string_view requirement);  // foo[bar]>=1.0; python_version < "3.12"
std::string specifiers_problem(std::string_view specifiers);    // >=3.8,!=3.9.0

// Environment markers of Requires-Dist (PEP 508): whether a dependency is asked for here.

// For CPython on Linux. `python`: "3.11", empty where it is not known. `extra`: the one for which the marker is read,
// normalised, or "". False only where the marker is known to say no: what cannot be known here (the machine, the
// kernel), and what is no marker, says yes.
bool asks_for(std::string_view marker, std::string_view python, std::string_view extra);

// Whether the text is a marker: its grammar, and variables that PEP 508 names.
bool is_marker(std::string_view text);

}  // namespace wheelcheck::wheel
