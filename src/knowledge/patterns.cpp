#include "knowledge/patterns.h"

#include "knowledge/builtin.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {

LibraryPatterns library_patterns(const Knowledge& knowledge) {
  if (is_builtin(knowledge)) {
    const std::string_view text = builtin_tables.text;
    return {PrefixIndex(text, builtin_tables.symbols), PrefixIndex(text, builtin_tables.mangled),
            PrefixIndex(text, builtin_tables.sonames)};
  }
  const LooseLibraryPatterns loose(knowledge.libraries);
  return {PrefixIndex(loose.symbols), PrefixIndex(loose.mangled), PrefixIndex(loose.sonames)};
}

}  // namespace wheelcheck::knowledge
