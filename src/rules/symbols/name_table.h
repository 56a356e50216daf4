// A table of names for looking up many symbols. A rule that compares the exports of one file with the imports of others
// builds the table once and searches it for each symbol.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "model/each_symbol.h"

namespace wheelcheck::rules {

// Names sorted by hash, so that half a million exports can be looked up among the imported names. Equal hashes cost
// only the comparisons of the names that share them, so crafted names cannot make a lookup slow.
class NameTable {
 public:
  // Usage: add all names, call `finish`, then search any number of times.
  void add(std::string_view name) { added_.push_back({std::hash<std::string_view>{}(name), name}); }
  void finish() {
    const auto bits = static_cast<unsigned>(std::bit_width(added_.size() | 1U));
    shift_ = digits - bits;
    ends_.resize(std::size_t{16} << bits);
    for (const Entry& entry : added_) ends_[end_of(entry.second)] = true;
    share_out(std::size_t{1} << bits);
    added_ = {};
  }
  std::optional<std::size_t> find(std::string_view name) const {
    if (!ends_[end_of(name)]) return std::nullopt;
    const Entry wanted{std::hash<std::string_view>{}(name), name};
    const std::size_t at = bucket(wanted.first);
    const auto end = entries_.begin() + first_[at + 1];
    const auto found = std::lower_bound(entries_.begin() + first_[at], end, wanted);
    if (found == end || *found != wanted) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
  }
  // The result of find() for each name, in the order in which they were added.
  std::span<const std::uint32_t> numbers() const { return numbers_; }
  std::size_t size() const { return entries_.size(); }

 private:
  using Entry = std::pair<std::size_t, std::string_view>;
  static constexpr unsigned digits = std::numeric_limits<std::size_t>::digits;

  // A number made of the length and the last characters. Most names that are not in the table differ from all of it in
  // this number, which costs less than their hash.
  std::size_t end_of(std::string_view name) const {
    std::uint64_t last = name.size();
    if (name.size() >= sizeof last) {
      std::memcpy(&last, name.data() + name.size() - sizeof last, sizeof last);
      last ^= name.size();
    }
    constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;  // Knuth, TAOCP 6.4: multiplicative hashing
    return static_cast<std::size_t>((last * golden) >> 32U) & (ends_.size() - 1);
  }
  std::size_t bucket(std::size_t hash) const { return hash >> shift_; }

  // Sorts the names into buckets by the first bits of their hash, without repetitions; each bucket is sorted.
  void share_out(std::size_t buckets) {
    std::vector<std::uint32_t> begin(buckets + 1);
    for (const Entry& entry : added_) ++begin[bucket(entry.first) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::uint32_t> order(added_.size()), next(begin.begin(), begin.end() - 1);
    for (std::uint32_t i = 0; i < added_.size(); ++i) order[next[bucket(added_[i].first)]++] = i;
    numbers_.resize(added_.size());
    first_.assign(buckets + 1, 0);
    for (std::size_t at = 0; at < buckets; ++at) {
      const std::span<std::uint32_t> here(order.begin() + begin[at], order.begin() + begin[at + 1]);
      if (here.size() > 1) std::ranges::sort(here, {}, [&](std::uint32_t i) { return added_[i]; });
      for (const std::uint32_t i : here) {
        if (entries_.size() == first_[at] || entries_.back() != added_[i]) entries_.push_back(added_[i]);
        numbers_[i] = static_cast<std::uint32_t>(entries_.size() - 1);
      }
      first_[at + 1] = static_cast<std::uint32_t>(entries_.size());
    }
  }

  std::vector<bool> ends_;  // by end_of; a power of two
  std::vector<Entry> added_, entries_;
  std::vector<std::uint32_t> first_;    // first entry, by bucket
  std::vector<std::uint32_t> numbers_;  // index into entries_, by the order of add()
  unsigned shift_ = 0;
};

// Whether the predicate is true for the number of some symbol's name in the table.
template <class Symbols, class Predicate>
bool any_found(const Symbols& symbols, const NameTable& names, Predicate predicate) {
  return any_symbol(symbols, [&](const auto& symbol) {
    const auto at = names.find(symbol.name);
    return at && predicate(*at);
  });
}

}  // namespace wheelcheck::rules
