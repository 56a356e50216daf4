// The one door of this room.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::conflicts {

// A name as it was written, from a mangled one.
using Demangle = std::string (*)(std::string_view);
Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle);

}  // namespace wheelcheck::conflicts
