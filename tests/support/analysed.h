// Parts of the analysis of one file, for tests of that part alone.
#pragma once

#include "analysis/internal.h"

namespace wheelcheck::test {

// What is known of libraries does not matter to it.
inline CxxAbi cxx_abi_of(const ElfMember& file) {
  const Knowledge nothing;
  return analysis::read_symbols(file, {}, analysis::Index(nothing)).cxx;
}

}  // namespace wheelcheck::test
