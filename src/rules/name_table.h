// A table of names that many symbols are looked up in.
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
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck::rules {

// Names by hash, so that half a million exports can be looked up in what is asked for; equal hashes cost only their own
// comparisons, whoever chose the names.
class NameTable {
 public:
  // All names first, then `finish`, then any number of searches.
  void add(std::string_view name) { entries_.push_back({std::hash<std::string_view>{}(name), name}); }
  void finish() {
    std::ranges::sort(entries_);
    const auto again = std::ranges::unique(entries_);
    entries_.erase(again.begin(), again.end());
    // Eight bits of them a name, within what a cache holds.
    const auto hint_bits = std::clamp(static_cast<unsigned>(std::bit_width(entries_.size() | 1U)) + 3, 16U, 22U);
    hint_shift_ = std::numeric_limits<std::uint64_t>::digits - hint_bits;
    hints_.assign(std::size_t{1} << hint_bits, false);
    for (const auto& [hash, name] : entries_) hints_[hint(name)] = true;
    const auto bits = static_cast<unsigned>(std::bit_width(entries_.size() | 1U));
    shift_ = std::numeric_limits<std::size_t>::digits - bits;
    first_.assign((std::size_t{1} << bits) + 1, 0);
    for (const auto& [hash, name] : entries_) ++first_[bucket(hash) + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
  }
  std::optional<std::size_t> find(std::string_view name) const {
    if (!hints_[hint(name)]) return std::nullopt;
    const Entry wanted{std::hash<std::string_view>{}(name), name};
    const std::size_t at = bucket(wanted.first);
    const auto end = entries_.begin() + first_[at + 1];
    const auto found = std::lower_bound(entries_.begin() + first_[at], end, wanted);
    if (found == end || *found != wanted) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
  }
  std::size_t size() const { return entries_.size(); }

 private:
  // Its length and its end: most names that are not here are told by these.
  std::size_t hint(std::string_view name) const {
    std::uint64_t end = 0;
    const std::size_t size = std::min(name.size(), sizeof end);
    std::memcpy(&end, name.data() + (name.size() - size), size);
    return ((end ^ name.size() << 56U) * 0x9E3779B97F4A7C15U) >> hint_shift_;
  }

  // Of the entries, which are sorted by hash, those with the same first bits.
  std::size_t bucket(std::size_t hash) const { return hash >> shift_; }

  using Entry = std::pair<std::size_t, std::string_view>;
  std::vector<Entry> entries_;
  std::vector<std::uint32_t> first_;  // by bucket
  unsigned shift_ = 0, hint_shift_ = std::numeric_limits<std::uint64_t>::digits - 1;
  std::vector<bool> hints_ = std::vector<bool>(2);  // by hint
};

}  // namespace wheelcheck::rules
