// The readers of data/: one a table, each from the text of one JSON file into its part of Knowledge. An entry of a name
// that is there already replaces it. Errors are BadPolicy and name `file` and the JSON pointer.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wheelcheck/knowledge.h"
#include "wheelcheck/result.h"

namespace wheelcheck::knowledge {

Result<void> read_libraries(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_gpu(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_distributions(std::string_view text, std::string_view file, Knowledge& into);
Result<void> read_stable_abi(std::string_view text, std::string_view file, Knowledge& into);

// Replaces the element of that name, or inserts it where it belongs in the order of names.
template <class Item>
void put(std::vector<Item>& table, std::string Item::* name, Item item) {
  const auto at = std::ranges::lower_bound(table, item.*name, {}, name);
  if (at != table.end() && (*at).*name == item.*name) {
    *at = std::move(item);
  } else {
    table.insert(at, std::move(item));
  }
}

}  // namespace wheelcheck::knowledge
