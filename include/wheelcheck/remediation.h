// Remediation: what must change in a wheel so that it meets an older level. Most requirements on a new system come from
// single symbols, such as exp2f@GLIBC_2.29. For each older level this is the list of such symbols, with advice on how
// to avoid them. The result contains indices into the report that it is computed from.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/index.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/policy.h"
#include "wheelcheck/report.h"

namespace wheelcheck {

struct RemovedSymbol {
  std::string name;
  std::vector<ElfIndex> files;  // files that import it
};
// Symbols with the same advice.
struct Removal {
  std::string library;
  std::string node;                    // "GLIBC_2.28"; "" for symbols that the level denies
  std::vector<RemovedSymbol> symbols;  // by name; empty: a node that is required without a symbol
  std::vector<ElfIndex> files;         // all files that require one of the symbols
  std::string advice;
  bool known = false;  // the advice is from data/remedies.json or a file of the user; otherwise it is general
};
// A requirement that cannot be fixed by avoiding symbols: a library that is not allowed, CPU instructions, a machine.
struct OtherRequirement {
  Requirement required;  // of one of the files
  std::vector<ElfIndex> files;
  std::string advice;
};
// The changes that are needed to meet a range of levels.
struct RemediationStep {
  // All levels of the range need the same changes.
  LevelIndex newest, oldest;
  std::vector<Removal> removals;                     // newest node first, then by advice; denied symbols last
  std::vector<OtherRequirement> other_requirements;  // empty: avoiding the symbols is sufficient
  // The number of symbols to avoid. A symbol counts once per node; a node without a symbol counts as one.
  std::size_t symbols = 0;
  std::size_t files = 0;  // the number of files that contain them
};
// The steps for one policy family on one machine.
struct RemediationPath {
  std::size_t assessment = 0;  // index into WheelReport::assessments
  // Levels that are older than the best one: first those that can be met by avoiding symbols, then by cost.
  std::vector<RemediationStep> steps;
};

// One path per assessment. Each step is the smallest set of changes: a level requires that all of its unmet
// requirements are fixed, and there is no alternative set.
std::vector<RemediationPath> cheapest(const WheelReport& wheel, const Knowledge& knowledge);

// The most specific remedy for an import, or for a node without a symbol (symbol ""). Patterns of symbols are preferred
// to patterns of nodes, and long patterns to short ones. Null if there is none. The result points into `knowledge`.
const KnownRemedy* find_remedy(const Knowledge& knowledge, std::string_view library, std::string_view node,
                               std::string_view symbol);
// The node of the first glibc of a machine: GLIBC_2.2.5 for x86_64. "" if there is none.
std::string_view first_glibc_node(Arch arch);

}  // namespace wheelcheck
