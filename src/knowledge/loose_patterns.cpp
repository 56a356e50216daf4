// The patterns without an index. This is a file of its own because the build tool that generates the index uses it.
#include "knowledge/patterns.h"

namespace wheelcheck::knowledge {

LooseLibraryPatterns::LooseLibraryPatterns(const std::vector<KnownLibrary>& libraries) {
  for (std::uint32_t i = 0; i < libraries.size(); ++i) {
    for (const std::string_view symbol : libraries[i].symbols)
      (symbol.starts_with("_Z") ? mangled : symbols).emplace_back(symbol, i);
    for (const std::string_view soname : libraries[i].sonames) sonames.emplace_back(soname, i);
  }
}

}  // namespace wheelcheck::knowledge
