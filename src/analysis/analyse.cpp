// The steps of the analysis. The symbols of all files are read first, because the scopes that most of them belong to
// show which code is the wheel's own product.
#include <algorithm>
#include <utility>

#include "analysis/internal.h"
#include "base/parallel.h"
#include "import_plan/distribution_files.h"
#include "model/each_symbol.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::analysis {

namespace {

bool is_python_name(std::string_view symbol) {
  constexpr std::size_t longest = 128;  // twice the longest name in CPython; longer names are not read
  return symbol.size() <= longest && (symbol.starts_with("Py") || symbol.starts_with("_Py"));
}

void sort_unique(std::vector<std::string_view>& names) {
  std::ranges::sort(names);
  const auto rest = std::ranges::unique(names);
  names.erase(rest.begin(), rest.end());
}

std::vector<std::string_view> python_exports(std::span<const SymbolReading> symbols) {
  std::vector<std::string_view> all;
  for (const SymbolReading& of_file : symbols)
    all.insert(all.end(), of_file.python_exports.begin(), of_file.python_exports.end());
  sort_unique(all);
  return all;
}

}  // namespace

// One pass: the symbol names of a large file do not fit into the CPU caches.
SymbolReading read_symbols(const ElfMember& file, const WheelFacts& wheel, const Index& index) {
  ExportCounter exports(index);
  CxxAbiReader cxx;
  SymbolReading reading;
  if (const auto& dynamic = file.facts.dynamic) {
    each_symbol(dynamic->exports, [&](const Export& symbol) {
      exports.add(symbol);
      cxx.add(symbol);
      if (is_python_name(symbol.name)) reading.python_exports.push_back(symbol.name);
    });
    each_symbol(dynamic->imports, [&](const Import& symbol) {
      cxx.add(symbol);
      if (!symbol.weak && is_python_name(symbol.name)) reading.python_imports.push_back(symbol.name);
    });
  }
  reading.exports = exports.summary(file, wheel);
  reading.namespaces = exports.namespaces();
  reading.cxx = cxx.abi_of(file);
  return reading;
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
    const std::vector<std::string_view> defined = analysis::python_exports(symbols);
    result.own_scopes = analysis::own_scopes(wheel, symbols, index, options);
    parallel_for(wheel.elfs.size(), jobs, [&](std::size_t i) {
      ElfAnalysis& one = result.elfs[i];
      analysis::mark_own(symbols[i].exports, result.own_scopes);
      one.libraries = analysis::libraries(wheel.elfs[i], wheel, symbols[i], index);
      one.exports = std::move(symbols[i].exports);
      one.cxx = std::move(symbols[i].cxx);
      one.python_imports = std::move(symbols[i].python_imports);
      analysis::sort_unique(one.python_imports);
      std::erase_if(one.python_imports,
                    [&](std::string_view name) { return std::ranges::binary_search(defined, name); });
    });
  }
  result.gpu = analysis::gpu(wheel, knowledge);
  result.global_imports = import_plan::link_global_imports(wheel, result.imports_cut);
  return result;
}

}  // namespace wheelcheck
