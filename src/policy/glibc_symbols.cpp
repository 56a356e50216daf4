#include "policy/glibc_symbols.h"

#include <cstddef>
#include <unordered_map>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_glibc_added[];

namespace policy {
namespace {

std::unordered_map<std::string_view, GlibcSymbol> by_name() {
  std::unordered_map<std::string_view, GlibcSymbol> table;
  GlibcSymbol release;
  for (const std::string_view line : split(embedded_glibc_added[0].text, '\n')) {
    if (line.empty() || line.front() == '#') continue;
    if (line.front() != ' ') {
      const std::size_t space = line.find(' ');
      release = {line.substr(0, space), line.substr(space + 1)};
      continue;
    }
    for (const std::string_view name : split(trim(line), ' ')) table.try_emplace(name, release);
  }
  return table;
}

}  // namespace

const GlibcSymbol* first_with(std::string_view symbol) {
  if (symbol.starts_with("_Z") || symbol.starts_with("Py")) return nullptr;  // most of the imports without a version
  static const std::unordered_map<std::string_view, GlibcSymbol> table = by_name();
  const auto at = table.find(symbol);
  return at == table.end() ? nullptr : &at->second;
}

}  // namespace policy
}  // namespace wheelcheck
