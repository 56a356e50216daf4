// The symbols of all files come first, because what most of them are tells whose wheel it is.
#include <utility>

#include "analysis/internal.h"
#include "base/parallel.h"
#include "import_plan/link.h"
#include "wheelcheck/wheelcheck.h"

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
