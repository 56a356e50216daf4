// What policies are made of: lists of words, and what one has beside another.
#pragma once

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/string_set.h"
#include "wheelcheck/version.h"

namespace wheelcheck::policy {

using Lists = std::map<std::string, StringSet, std::less<>>;

inline const StringSet& list_of(const Lists& lists, std::string_view key) {
  static const StringSet none;
  const auto at = lists.find(key);
  return at == lists.end() ? none : at->second;
}

inline StringSet without(const StringSet& set, const StringSet& other) {
  std::vector<std::string> out;
  std::ranges::set_difference(set, other, std::back_inserter(out));
  return {out.begin(), out.end()};
}

// As people count: 2.9 before 2.10.
inline std::vector<std::string> in_natural_order(const StringSet& set) {
  std::vector<std::string> out(set.begin(), set.end());
  std::ranges::sort(out, NaturalLess{});
  return out;
}

}  // namespace wheelcheck::policy
