// The entry point of the conflict analysis.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/conflicts.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::conflicts {

// Converts a mangled name to the name in the source language.
using Demangle = std::string (*)(std::string_view);
// Plans in which each of these distributions is the first import of the process (import_plan/first_import.h).
using FirstImports = std::function<std::vector<LoadPlan>(const Installation&, std::span<const DistributionIndex>)>;
Conflicts find_conflicts(Installation installation, std::vector<LoadPlan> load_plans, const Knowledge& knowledge,
                         Demangle demangle, const FirstImports& first_imports = {});

}  // namespace wheelcheck::conflicts
