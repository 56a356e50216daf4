// A set of a few strings in one piece of memory: made once, then asked.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck {

class StringSet {
 public:
  using value_type = std::string;
  using const_iterator = std::vector<std::string>::const_iterator;
  using iterator = const_iterator;

  StringSet() = default;
  StringSet(std::initializer_list<std::string_view> texts) : texts_(texts.begin(), texts.end()) { order(); }
  template <class It>
  StringSet(It first, It last) : texts_(first, last) {
    order();
  }

  bool contains(std::string_view text) const { return std::ranges::binary_search(texts_, text); }
  const_iterator find(std::string_view text) const {
    const auto at = std::ranges::lower_bound(texts_, text);
    return at != texts_.end() && *at == text ? at : texts_.end();
  }
  const_iterator begin() const { return texts_.begin(); }
  const_iterator end() const { return texts_.end(); }
  std::size_t size() const { return texts_.size(); }
  bool empty() const { return texts_.empty(); }

  // Costs a move of what sorts behind it; many at once are cheaper.
  std::pair<const_iterator, bool> insert(std::string_view text) {
    const auto at = std::ranges::lower_bound(texts_, text);
    if (at != texts_.end() && *at == text) return {at, false};
    return {texts_.emplace(at, text), true};
  }
  template <class It>
  void insert(It first, It last) {
    texts_.insert(texts_.end(), first, last);
    order();
  }

  friend bool operator==(const StringSet&, const StringSet&) = default;

 private:
  void order() {
    if (!std::ranges::is_sorted(texts_)) std::ranges::sort(texts_);
    const auto rest = std::ranges::unique(texts_);
    texts_.erase(rest.begin(), rest.end());
  }

  std::vector<std::string> texts_;
};

}  // namespace wheelcheck
