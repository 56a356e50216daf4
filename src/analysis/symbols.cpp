// The one pass over the symbols of a file.
#include "analysis/internal.h"
#include "model/each_symbol.h"

namespace wheelcheck::analysis {

SymbolReading read_symbols(const ElfMember& file, const WheelFacts& wheel, const Index& index) {
  ExportCounter exports(index);
  CxxAbiReader cxx;
  if (const auto& dynamic = file.facts.dynamic) {
    each_symbol(dynamic->exports, [&](const Export& symbol) {
      exports.add(symbol);
      cxx.add(symbol);
    });
    each_symbol(dynamic->imports, [&](const Import& symbol) { cxx.add(symbol); });
  }
  return {.exports = exports.summary(file, wheel), .namespaces = exports.namespaces(), .cxx = cxx.abi_of(file)};
}

}  // namespace wheelcheck::analysis
