// The parts of the analysis, each in the file of its name.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analysis/attribute.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/binding.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::analysis {

// exports.cpp: what one file exports, by scope and library; whose product each is, is said by mark_own.
ExportSummary exports(const ElfMember& file, const WheelFacts& wheel, const Index& index);
void mark_own(ExportSummary& summary, const std::vector<std::string>& own);
// own_scopes.cpp: the C++ scopes and library ids that are the wheel's own product: what the user says, what the
// distribution's name says, what most of its exports say. Sorted.
std::vector<std::string> own_scopes(const WheelFacts& wheel, std::span<const ElfAnalysis> counted, const Index& index,
                                    const RuleOptions& options);
// libraries.cpp
std::vector<IdentifiedLibrary> libraries(const ElfMember& file, const WheelFacts& wheel, const ExportSummary& exports,
                                         const Index& index);
// cxx_abi.cpp
CxxAbi cxx_abi(const ElfMember& file);
// gpu.cpp
std::vector<GpuReference> gpu(const WheelFacts& wheel, const Knowledge& knowledge);

}  // namespace wheelcheck::analysis
