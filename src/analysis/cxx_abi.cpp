#include "analysis/parts.h"

namespace wheelcheck::analysis {

CxxAbi cxx_abi(const ElfMember&) { return {}; }

}  // namespace wheelcheck::analysis
