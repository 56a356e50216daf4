// Parts of the analysis of one file, for tests of that part alone.
#pragma once

#include "analysis/parts.h"

namespace wheelcheck::test {

inline ExportSummary exports_of(const ElfMember& file, const WheelFacts& wheel, const analysis::Index& index) {
  ElfAnalysis result;
  analysis::read_symbols(file, wheel, index, result);
  return result.exports;
}
// What is known of libraries does not matter to it.
inline CxxAbi cxx_abi_of(const ElfMember& file) {
  const Knowledge nothing;
  ElfAnalysis result;
  analysis::read_symbols(file, {}, analysis::Index(nothing), result);
  return result.cxx;
}

}  // namespace wheelcheck::test
