// The entry point of the conflict analysis.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::conflicts {

// Converts a mangled name to the name in the source language.
using Demangle = std::string (*)(std::string_view);
Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle);

}  // namespace wheelcheck::conflicts
