// What of the code that stays can be left out line by line.
#pragma once

#include <vector>

#include "python/lines.h"
#include "python/mentions.h"

namespace wheelcheck::python {

// By line: documentation; assignments that call nothing, to names that stand nowhere else; what a `raise` raises, where
// no function that stays makes it; of functions that do not stay the parameters, and all where their names stand
// nowhere. `kept`: by function of `code`.
std::vector<Cut> prune(const Lines& code, const Mentions& read, const std::vector<bool>& kept);

}  // namespace wheelcheck::python
