// Operations on the lists of policies.
#pragma once

#include <algorithm>
#include <cstddef>
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
  std::vector<std::string_view> out;
  std::ranges::set_difference(set, other, std::back_inserter(out));
  return {out.begin(), out.end()};
}

// A version node as policies list it: the part before the first '_', and the rest.
struct Node {
  std::string_view family, rest;  // GLIBC, 2.17
};
inline Node split_node(std::string_view node) {
  const std::size_t at = node.find('_');
  return at == node.npos ? Node{node, ""} : Node{node.substr(0, at), node.substr(at + 1)};
}

// Natural order: 2.9 before 2.10.
template <class Set>
std::vector<std::string> in_natural_order(const Set& set) {
  std::vector<std::string> out(set.begin(), set.end());
  std::ranges::sort(out, NaturalLess{});
  return out;
}

}  // namespace wheelcheck::policy
