// What would have to go from a wheel so that it fits an older tag, and how to do without it. Made of indices into the
// report that it was made from.
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
  std::vector<ElfIndex> files;  // that import it
};
// Symbols for which the same is to be done.
struct Removal {
  std::string library;
  std::string node;                    // GLIBC_2.28; "" for symbols that the level denies
  std::vector<RemovedSymbol> symbols;  // by name; empty: a node that no symbol names
  std::vector<ElfIndex> files;         // all that ask
  std::string advice;
  bool known = false;  // the advice is of data/remedies.json or the user's file, not a general one
};
// What no removal of a symbol mends: a library that is not allowed, instructions, a machine.
struct Hindrance {
  Requirement required;  // of one of the files
  std::vector<ElfIndex> files;
  std::string advice;
};
// Levels that the same removals reach.
struct RemediationStep {
  LevelIndex newest, oldest;          // of a run of levels
  std::vector<Removal> removals;      // newest node first, of one node by advice; then what is denied
  std::vector<Hindrance> hindrances;  // none: the removals are enough
  std::size_t symbols = 0;            // that must go, each name of a node once; a node that none names counts as one
  std::size_t files = 0;              // that they are in
};
// One C library on one machine.
struct RemediationPath {
  std::size_t assessment = 0;          // of the report
  std::vector<RemediationStep> steps;  // to levels older than the best: those that removals reach first, then by cost
};

// One for each assessment. A level is judged as a whole, so what stands between a wheel and a level is the smallest set
// there is: nothing else in the wheel could go in its place.
std::vector<RemediationPath> cheapest(const WheelReport& wheel, const Knowledge& knowledge);

// The remedy for an import, or for a node without one (symbol ""), that says most of it: symbols before nodes, long
// patterns before short ones. Null where nothing is known.
const KnownRemedy* find_remedy(const Knowledge& knowledge, std::string_view library, std::string_view node,
                               std::string_view symbol);
// The node that the first glibc of a machine had: GLIBC_2.2.5. "" where there is none.
std::string_view first_glibc_node(Arch arch);

}  // namespace wheelcheck
