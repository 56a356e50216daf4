// Environment markers of Requires-Dist (PEP 508): whether a dependency is asked for here.
#pragma once

#include <string_view>

namespace wheelcheck::wheel {

// For CPython on Linux. `python`: "3.11", empty where it is not known. `extra`: the one for which the marker is read,
// normalised, or "". False only where the marker is known to say no: what cannot be known here (the machine, the
// kernel), and what is no marker, says yes.
bool asks_for(std::string_view marker, std::string_view python, std::string_view extra);

// Whether the text is a marker: its grammar, and variables that PEP 508 names.
bool is_marker(std::string_view text);

}  // namespace wheelcheck::wheel
