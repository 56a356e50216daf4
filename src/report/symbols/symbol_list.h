// Names of namespaces and libraries in the output of `symbols`.
#pragma once

#include <string>
#include <string_view>

#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"

namespace wheelcheck::report {

inline constexpr std::string_view global_scope = "::";  // C++ names outside every namespace and class

std::string_view scope_name(std::string_view scope);
// "LLVM" for "llvm"; the id itself if it is not in the table.
std::string_view library_name(const Knowledge& knowledge, std::string_view id);
// The library as it was identified in a file; null if it was not.
const IdentifiedLibrary* identified(const ElfAnalysis& file, std::string_view library);
// "LLVM 19.1.7", or the name without a version.
std::string library_text(const Knowledge& knowledge, const ElfAnalysis& file, std::string_view library);

}  // namespace wheelcheck::report
