// Indexes of the name patterns of known libraries, for C symbols, mangled symbols and file names. They determine the
// library that a name belongs to.
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/prefix_index.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::knowledge {

// The values are indices into Knowledge::libraries.
struct LibraryPatterns {
  PrefixIndex symbols, mangled, sonames;
};

// For shared_knowledge() without files, the build has generated the indexes; otherwise they are built here. The result
// does not refer to `knowledge`.
LibraryPatterns library_patterns(const Knowledge& knowledge);

// The patterns as in the tables, without an index.
struct LooseLibraryPatterns {
  std::vector<std::pair<std::string_view, std::uint32_t>> symbols, mangled, sonames;

  explicit LooseLibraryPatterns(const std::vector<KnownLibrary>& libraries);
};

}  // namespace wheelcheck::knowledge
