// Parts of the analysis of one file, for tests of a single part.
#pragma once

#include "analysis/internal.h"

namespace wheelcheck::test {

// Without knowledge of libraries, which the C++ ABI does not depend on.
inline CxxAbi cxx_abi_of(const ElfMember& file) {
  const Knowledge nothing;
  return analysis::read_symbols(file, {}, analysis::Index(nothing)).cxx;
}

}  // namespace wheelcheck::test
