// `wheelcheck symbols WHEEL`: whose symbols the files of a wheel define and ask for, counted, or listed one by one.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "wheelcheck/analysis.h"
#include "wheelcheck/knowledge.h"
#include "wheelcheck/wheel.h"

namespace wheelcheck::report {

enum class SymbolSide { Exports, Imports };
struct SymbolQuestion {
  enum class By { Namespace, File, Library };
  By by = By::Namespace;
  SymbolSide side = SymbolSide::Exports;
  bool json = false;
  bool colour = false;
  // Whose a symbol is. The room of reports decides nothing, so it is told.
  std::function<Attribution(std::string_view)> attribute;
};
// How many symbols of that side each namespace, file or library has (docs/symbols.schema.json).
std::string count_symbols(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                          const SymbolQuestion& question);

struct SymbolSearch {
  SymbolQuestion::By by = SymbolQuestion::By::File;  // the order: file, namespace or library before the name
  bool exports = true, imports = true;
  bool json = false;
  bool colour = false;
  std::function<Attribution(std::string_view)> attribute;
  std::function<bool(std::string_view)> matches;          // asked of the name, then of the demangled one
  std::function<std::string(std::string_view)> demangle;  // empty: names are shown as they stand
};
// Every symbol that matches, a line or an object each.
std::string list_symbols(const WheelFacts& wheel, const Analysis& analysis, const Knowledge& knowledge,
                         const SymbolSearch& search);

}  // namespace wheelcheck::report
