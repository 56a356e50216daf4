// The steps of the analysis. The symbols of all files are read first, because the scopes that most of them belong to
// show which code is the wheel's own product.
#include <utility>

#include "analysis/internal.h"
#include "base/parallel.h"
#include "import_plan/distribution_files.h"
#include "model/each_symbol.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::analysis {

// One pass: the symbol names of a large file do not fit into the CPU caches.
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

namespace wheelcheck {

Analysis analyse(const WheelFacts& wheel, const Resolution&, const Knowledge& knowledge, const RuleOptions& options,
                 unsigned jobs) {
  Analysis result;
  result.elfs.resize(wheel.elfs.size());
  if (!wheel.elfs.empty()) {
    const analysis::Index index(knowledge);
    std::vector<analysis::SymbolReading> symbols(wheel.elfs.size());
    parallel_for(wheel.elfs.size(), jobs,
                 [&](std::size_t i) { symbols[i] = analysis::read_symbols(wheel.elfs[i], wheel, index); });
    result.own_scopes = analysis::own_scopes(wheel, symbols, index, options);
    parallel_for(wheel.elfs.size(), jobs, [&](std::size_t i) {
      ElfAnalysis& one = result.elfs[i];
      analysis::mark_own(symbols[i].exports, result.own_scopes);
      one.libraries = analysis::libraries(wheel.elfs[i], wheel, symbols[i], index);
      one.exports = std::move(symbols[i].exports);
      one.cxx = std::move(symbols[i].cxx);
    });
  }
  result.gpu = analysis::gpu(wheel, knowledge);
  result.global_imports = import_plan::link_global_imports(wheel);
  return result;
}

}  // namespace wheelcheck
