// A set of a few strings in one piece of memory: made once, then asked. Copies share it until one of them is changed;
// as with any value, one thread alone may change a set.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck {

class StringSet {
 public:
  using value_type = std::string;
  using const_iterator = const std::string*;
  using iterator = const_iterator;

  StringSet() = default;
  StringSet(std::initializer_list<std::string_view> texts) : StringSet(texts.begin(), texts.end()) {}
  template <class It>
  StringSet(It first, It last) : StringSet(std::vector<std::string>(first, last)) {}
  explicit StringSet(std::vector<std::string> texts) {
    if (!texts.empty()) texts_ = std::make_shared<std::vector<std::string>>(in_order(std::move(texts)));
  }

  bool contains(std::string_view text) const { return std::ranges::binary_search(texts(), text); }
  const_iterator find(std::string_view text) const {
    const const_iterator at = std::ranges::lower_bound(begin(), end(), text);
    return at != end() && *at == text ? at : end();
  }
  const_iterator begin() const { return texts().data(); }
  const_iterator end() const { return begin() + size(); }
  std::size_t size() const { return texts().size(); }
  bool empty() const { return texts().empty(); }

  // Costs a move of what sorts behind it; many at once are cheaper.
  std::pair<const_iterator, bool> insert(std::string_view text) {
    const const_iterator at = std::ranges::lower_bound(begin(), end(), text);
    if (at != end() && *at == text) return {at, false};
    const std::ptrdiff_t place = at - begin();
    std::vector<std::string>& texts = own();
    texts.emplace(texts.begin() + place, text);
    return {begin() + place, true};
  }
  template <class It>
  void insert(It first, It last) {
    std::vector<std::string>& texts = own();
    texts.insert(texts.end(), first, last);
    texts = in_order(std::move(texts));
  }

  friend bool operator==(const StringSet& a, const StringSet& b) {
    return a.texts_ == b.texts_ || std::ranges::equal(a, b);
  }

 private:
  static std::vector<std::string> in_order(std::vector<std::string> texts) {
    if (!std::ranges::is_sorted(texts)) std::ranges::sort(texts);
    const auto rest = std::ranges::unique(texts);
    texts.erase(rest.begin(), rest.end());
    return texts;
  }
  std::span<const std::string> texts() const {
    return texts_ ? std::span<const std::string>(*texts_) : std::span<const std::string>();
  }
  // What nobody else sees.
  std::vector<std::string>& own() {
    if (texts_.use_count() == 1)
      std::atomic_thread_fence(std::memory_order_acquire);  // after what the last other owner did
    else
      texts_ = std::make_shared<std::vector<std::string>>(begin(), end());
    return *texts_;
  }

  std::shared_ptr<std::vector<std::string>> texts_;  // null: none
};

}  // namespace wheelcheck
