#include "report/symbols/symbol_names.h"

#include <algorithm>

#include "base/text.h"

namespace wheelcheck::report {

std::string_view scope_name(std::string_view scope) { return scope.empty() ? global_scope : scope; }

std::string_view library_name(const Knowledge& knowledge, std::string_view id) {
  const auto at = std::ranges::lower_bound(knowledge.libraries, id, {}, &KnownLibrary::id);
  return at != knowledge.libraries.end() && at->id == id ? std::string_view(at->name) : id;
}

const IdentifiedLibrary* identified(const ElfAnalysis& file, std::string_view library) {
  const auto at = std::ranges::find(file.libraries, library, &IdentifiedLibrary::library);
  return at == file.libraries.end() ? nullptr : &*at;
}

std::string library_text(const Knowledge& knowledge, const ElfAnalysis& file, std::string_view library) {
  std::string out = escape(library_name(knowledge, library));
  const IdentifiedLibrary* const found = identified(file, library);
  if (found != nullptr && found->version) out += " " + escape(*found->version);
  return out;
}

}  // namespace wheelcheck::report
