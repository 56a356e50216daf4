// What to do about an import or a node, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/remediation.h"

namespace wheelcheck::remediation {

// Of which import, of which library and node, on which machine, for which level.
struct Case {
  std::string_view library, node, symbol;
  Arch arch = Arch::Other;
};
struct Advice {
  std::string text;
  bool known = false;
};
// With {base} filled in, but not {symbol}: the same for all symbols of one remedy.
Advice advice_for(const Case& asked, const Knowledge& knowledge);
// The same for the symbols that it is for, of which there is one.
std::string told_of(std::string advice, const std::vector<RemovedSymbol>& symbols);
std::string advice_for(const Requirement& hindrance);

}  // namespace wheelcheck::remediation
