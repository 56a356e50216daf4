// Which CPythons may install and import a wheel.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/wheel.h"

namespace wheelcheck::rules {

// The minor versions 3 to 14 of CPython 3 that the Python tags and Requires-Python of METADATA admit, ascending.
std::vector<int> claimed_pythons(const WheelFacts& wheel);
// True if the tag py2 and Requires-Python admit CPython 2.7.
bool claims_python_2(const WheelFacts& wheel);
// True if Requires-Python or a tag names the oldest release.
bool has_lower_bound(const WheelFacts& wheel);
// "3.9", "3.6 to 3.9"; the list is not empty.
std::string span_text(const std::vector<int>& minors);

}  // namespace wheelcheck::rules
