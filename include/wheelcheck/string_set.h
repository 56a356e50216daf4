// A set of a few strings in one piece of memory: made once, then asked. Copies share it until one of them is changed;
// as with any value, one thread alone may change a set.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace wheelcheck {

class StringSet {
 public:
  // Good for as long as a set lives that holds the text.
  using value_type = std::string_view;
  using const_iterator = const std::string_view*;
  using iterator = const_iterator;

  StringSet() = default;
  StringSet(std::initializer_list<std::string_view> texts) : StringSet(texts.begin(), texts.end()) {}
  template <class It>
  StringSet(It first, It last) {
    if (first != last) insert(first, last);
  }
  // Of constants of the program, in order and each once: they are not copied.
  static StringSet of_constants(std::vector<std::string_view> texts) {
    StringSet result;
    if (!texts.empty()) {
      result.texts_ = std::make_shared<Texts>();
      result.texts_->list = std::move(texts);
    }
    return result;
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
    Texts& own = this->own();
    own.list.insert(own.list.begin() + place, own.keep(std::span(&text, 1)).front());
    return {begin() + place, true};
  }
  template <class It>
  void insert(It first, It last) {
    using Item = std::iter_reference_t<It>;
    static_assert(std::is_reference_v<Item> || std::is_same_v<Item, std::string_view>, "views of what is gone at once");
    const std::vector<std::string_view> more(first, last);
    if (more.empty()) return;
    Texts& own = this->own();
    const std::vector<std::string_view> kept = own.keep(more);
    own.list.insert(own.list.end(), kept.begin(), kept.end());
    if (!std::ranges::is_sorted(own.list)) std::ranges::sort(own.list);
    const auto rest = std::ranges::unique(own.list);
    own.list.erase(rest.begin(), rest.end());
  }

  friend bool operator==(const StringSet& a, const StringSet& b) {
    return a.texts_ == b.texts_ || std::ranges::equal(a, b);
  }

 private:
  struct Texts {
    std::vector<std::string_view> list;           // in order, each once
    std::vector<std::unique_ptr<char[]>> blocks;  // of what is no constant and not in `from`
    std::shared_ptr<const Texts> from;            // what this was a copy of

    // Copies of these, in one block.
    std::vector<std::string_view> keep(std::span<const std::string_view> more) {
      std::size_t size = 0;
      for (const std::string_view text : more) size += text.size();
      char* next = blocks.emplace_back(std::make_unique_for_overwrite<char[]>(size)).get();
      std::vector<std::string_view> kept;
      kept.reserve(more.size());
      for (const std::string_view text : more) {
        if (!text.empty()) std::memcpy(next, text.data(), text.size());
        kept.emplace_back(next, text.size());
        next += text.size();
      }
      return kept;
    }
  };

  std::span<const std::string_view> texts() const {
    return texts_ ? std::span<const std::string_view>(texts_->list) : std::span<const std::string_view>();
  }
  // What nobody else sees.
  Texts& own() {
    if (texts_.use_count() == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);  // after what the last other owner did
    } else {
      std::shared_ptr<Texts> copy = std::make_shared<Texts>();
      if (texts_) copy->list = texts_->list;
      copy->from = std::move(texts_);
      texts_ = std::move(copy);
    }
    return *texts_;
  }

  std::shared_ptr<Texts> texts_;  // null: none
};

}  // namespace wheelcheck
