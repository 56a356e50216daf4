// data/stable_abi.json: the names that CPython keeps for extension modules of every later version.
#include <algorithm>
#include <string>

#include "base/text.h"
#include "knowledge/fields.h"
#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

// "3.7", "3.2 abi_only"
bool parse_entry(std::string_view text, StableSymbol& into) {
  static constexpr std::string_view mark = " abi_only", major = "3.";
  into.abi_only = text.ends_with(mark);
  if (into.abi_only) text.remove_suffix(mark.size());
  std::uint64_t minor = 0;
  if (!text.starts_with(major) || text.size() > 5 || !parse_number(text.substr(major.size()), minor)) return false;
  into.minor = static_cast<std::uint16_t>(minor);
  return true;
}

bool is_entry(std::string_view text) {
  StableSymbol symbol;
  return parse_entry(text, symbol);
}

bool is_python_name(std::string_view name) {
  const auto fits = [](char c) { return is_alnum(c) || c == '_'; };
  return (name.starts_with("Py") || name.starts_with("_Py")) && std::ranges::all_of(name, fits);
}

}  // namespace

std::vector<StableSymbol> stable_abi_of(const Field& table) {
  std::vector<StableSymbol> result;
  for (const auto& [name, value] : table.members()) {
    if (!is_python_name(name)) value.fail("is not a name of Python's: Py... or _Py...");
    StableSymbol& symbol = result.emplace_back();
    symbol.name = name;
    parse_entry(value.text(is_entry, "3.N or 3.N abi_only"), symbol);
  }
  return result;
}

}  // namespace wheelcheck::knowledge
