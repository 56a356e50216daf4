// Advice on how to avoid an import or a version node, as text. It comes from the table of known remedies; without a
// remedy, the general advice is to build on an older system.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/remediation.h"

namespace wheelcheck::remediation {

// The import, its library and version node, the machine, and the wanted level.
struct Case {
  std::string_view library, node, symbol;
  Arch arch = Arch::Other;
};
struct Advice {
  std::string text;
  bool known = false;
};
// {base} is filled in, {symbol} is not: the text is the same for all symbols with this remedy.
Advice advice_for(const Case& requested, const Knowledge& knowledge);
// Fills in {symbol} with the symbols, of which there is at least one.
std::string told_of(std::string advice, const std::vector<RemovedSymbol>& symbols);
std::string advice_for(const Requirement& other);

}  // namespace wheelcheck::remediation
