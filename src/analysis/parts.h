// The parts of the analysis, each in the file of its name.
#pragma once

#include <string>
#include <vector>

#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::analysis {

// own_scopes.cpp: the C++ scopes and library ids that are the wheel's own product: what the user says, what the
// distribution's name says, what most of its exports say.
std::vector<std::string> own_scopes(const WheelFacts& wheel, const Knowledge& knowledge, const RuleOptions& options);
// exports.cpp
ExportSummary exports(const ElfMember& file, const WheelFacts& wheel, const Knowledge& knowledge,
                      const std::vector<std::string>& own);
// libraries.cpp
std::vector<IdentifiedLibrary> libraries(const ElfMember& file, const WheelFacts& wheel, const ExportSummary& exports,
                                         const Knowledge& knowledge);
// cxx_abi.cpp
CxxAbi cxx_abi(const ElfMember& file);
// gpu.cpp
std::vector<GpuReference> gpu(const WheelFacts& wheel, const Knowledge& knowledge);

}  // namespace wheelcheck::analysis
