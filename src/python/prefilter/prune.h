// What of the code that stays can be left out line by line.
#pragma once

#include <vector>

#include "python/prefilter/lines.h"
#include "python/prefilter/mentions.h"

namespace wheelcheck::python {

struct Parts {
  // By function of the text: it stays; an import may run it, so that all of it matters.
  std::vector<bool> kept, whole;
  bool module = false;  // of the module's own code all matters
};

// By line: documentation; assignments that call nothing, to names that stand nowhere else; what a `raise` raises, where
// no function that stays makes it. Where not all matters, what neither loads nor changes a name whose value matters,
// and what is returned where nobody asks. Of functions that do not stay the parameters, and all where their names stand
// nowhere.
std::vector<Cut> prune(const Lines& code, const Mentions& read, const Parts& parts);

}  // namespace wheelcheck::python
