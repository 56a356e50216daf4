// The answers of `wheelcheck symbols WHEEL`: the symbols that the files of a wheel export and import, counted by owner,
// or listed one by one. They refer to the arguments.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "report/shared/document.h"
#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::report {

enum class SymbolSide { Exports, Imports };
struct SymbolQuestion {
  enum class By { Namespace, File, Library };
  By by = By::Namespace;
  SymbolSide side = SymbolSide::Exports;
  // Returns the owner of a symbol. It is a callback because reports contain no analysis of their own.
  std::function<Attribution(std::string_view)> attribute;
};
// The number of symbols of one side by namespace, file or library (docs/symbols.schema.json).
Answer symbol_counts_answer(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                            const SymbolQuestion& question);

struct SymbolSearch {
  SymbolQuestion::By by = SymbolQuestion::By::File;  // sort order: file, namespace or library before the name
  bool exports = true, imports = true;
  std::function<Attribution(std::string_view)> attribute;
  std::function<bool(std::string_view)> matches;          // called with the name, then with the demangled name
  std::function<std::string(std::string_view)> demangle;  // empty: names are shown as they are
};
// All matching symbols, one line or JSON object each.
Answer symbol_list_answer(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                          const SymbolSearch& search);

// Names of namespaces and libraries in the output of `symbols`.
inline constexpr std::string_view global_scope = "::";  // C++ names outside every namespace and class

std::string_view scope_name(std::string_view scope);
// "LLVM" for "llvm"; the id itself if it is not in the table.
std::string_view library_name(const Knowledge& knowledge, std::string_view id);
// "LLVM 19.1.7", or the name without a version.
std::string library_text(const Knowledge& knowledge, const ElfAnalysis& file, std::string_view library);

}  // namespace wheelcheck::report
