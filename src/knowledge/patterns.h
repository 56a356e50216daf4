// What known libraries call their C symbols, their mangled ones and their files, each arranged for one question: whose
// is this name?
#pragma once

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "base/prefix_index.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::knowledge {

// The values are places in Knowledge::libraries.
struct LibraryPatterns {
  PrefixIndex symbols, mangled, sonames;
};

// Of shared_knowledge() without files the build arranged them; else they are arranged here. Keeps no view into
// `knowledge`.
LibraryPatterns library_patterns(const Knowledge& knowledge);

// As they stand in the tables, not arranged.
struct LooseLibraryPatterns {
  std::vector<std::pair<std::string_view, std::uint32_t>> symbols, mangled, sonames;

  explicit LooseLibraryPatterns(const std::vector<KnownLibrary>& libraries);
};

}  // namespace wheelcheck::knowledge
