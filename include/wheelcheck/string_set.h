// A sorted set of strings in one block of memory, for sets that are built once and searched often. Copies share the
// memory until one of them is changed (copy on write). A set may be changed by one thread only, like any value.
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
  // The views are valid as long as a set with the text exists.
  using value_type = std::string_view;
  using const_iterator = const std::string_view*;
  using iterator = const_iterator;

  StringSet() = default;
  StringSet(std::initializer_list<std::string_view> texts) : StringSet(texts.begin(), texts.end()) {}
  template <class It>
  StringSet(It first, It last) {
    if (first != last) insert(first, last);
  }
  // A set of constants of the program, which must be sorted and without duplicates. The texts are not copied.
  static StringSet of_constants(std::span<const std::string_view> texts) {
    StringSet result;
    result.constants_ = texts;
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

  // Moves all later elements; inserting many at once is cheaper.
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

  friend bool operator==(const StringSet& a, const StringSet& b) { return std::ranges::equal(a, b); }

 private:
  struct Texts {
    std::vector<std::string_view> list;           // sorted, without duplicates
    std::vector<std::unique_ptr<char[]>> blocks;  // memory of texts that are neither constants nor in `from`
    std::shared_ptr<const Texts> from;            // the texts that this object was copied from

    // Copies the texts into one block.
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
    return texts_ ? std::span<const std::string_view>(texts_->list) : constants_;
  }
  // Texts that no other set shares.
  Texts& own() {
    if (texts_.use_count() == 1) {
      std::atomic_thread_fence(std::memory_order_acquire);  // synchronises with the release of the last other owner
    } else {
      std::shared_ptr<Texts> copy = std::make_shared<Texts>();
      copy->list.assign(begin(), end());
      copy->from = std::move(texts_);
      texts_ = std::move(copy);
    }
    return *texts_;
  }

  std::span<const std::string_view> constants_;  // the set, if texts_ is null
  std::shared_ptr<Texts> texts_;
};

}  // namespace wheelcheck
