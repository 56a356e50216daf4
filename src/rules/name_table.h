// A table of names that many symbols are looked up in.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
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
    for (const auto& [hash, name] : entries_) hints_[hint(name)] = true;
  }
  std::optional<std::size_t> find(std::string_view name) const {
    if (!hints_[hint(name)]) return std::nullopt;
    const Entry wanted{std::hash<std::string_view>{}(name), name};
    const auto found = std::ranges::lower_bound(entries_, wanted);
    if (found == entries_.end() || *found != wanted) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
  }
  std::size_t size() const { return entries_.size(); }

 private:
  // Its length and its end: most names that are not here are told by these.
  static std::size_t hint(std::string_view name) {
    std::uint64_t end = 0;
    const std::size_t size = std::min(name.size(), sizeof end);
    std::memcpy(&end, name.data() + (name.size() - size), size);
    return ((end ^ name.size() << 56U) * 0x9E3779B97F4A7C15U) >> 48U;
  }

  using Entry = std::pair<std::size_t, std::string_view>;
  std::vector<Entry> entries_;
  std::vector<bool> hints_ = std::vector<bool>(std::size_t{1} << 16);
};

}  // namespace wheelcheck::rules
