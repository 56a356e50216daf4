// Many patterns asked at once: which of them match a text? A question costs a binary search and a walk along the few
// whose literal start the text has. The build arranges those of data/ as constants; others are arranged where they are
// read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/piece.h"

namespace wheelcheck {

// A pattern (base/pattern.h), taken apart once, so that the common ones ("SSL_*", "lts_{version}") cost a comparison.
struct CompiledPattern {
  enum class Rest { Nothing, Anything, Version, Pattern };

  std::string_view prefix, suffix;  // the literal start and end
  std::string_view whole;
  Rest rest = Rest::Pattern;  // what may follow the prefix

  explicit CompiledPattern(std::string_view pattern);
  CompiledPattern(std::string_view pattern, std::size_t literal_start);  // bytes of what literal_prefix finds
  bool matches(std::string_view text) const;
};

class PrefixIndex {
 public:
  struct Entry {
    Piece pattern;              // of the text
    std::uint32_t prefix = 0;   // bytes of its literal start
    std::uint32_t value = 0;    // what the pattern stands for
    std::int32_t shorter = -1;  // the entry with the longest prefix that this prefix starts with, or -1

    bool operator==(const Entry&) const = default;
  };
  struct Arranged {
    std::string text;
    std::vector<Entry> entries;  // by prefix, then pattern, then value
  };
  static Arranged arrange(std::span<const std::pair<std::string_view, std::uint32_t>> patterns);

  PrefixIndex() = default;
  explicit PrefixIndex(std::span<const std::pair<std::string_view, std::uint32_t>> patterns)
      : PrefixIndex(std::make_unique<const Arranged>(arrange(patterns))) {}
  // As arrange() gives them; both must live as long.
  PrefixIndex(std::string_view text, std::span<const Entry> entries) : text_(text), entries_(entries) {}

  // Hands over the values of the patterns that match, those with the longest literal start first, until `visit`
  // returns true.
  template <class Visit>
  void find(std::string_view text, Visit visit) const {
    for (std::int32_t at = last_not_after(text); at >= 0; at = entries_[static_cast<std::size_t>(at)].shorter) {
      const Entry& entry = entries_[static_cast<std::size_t>(at)];
      const std::string_view pattern = entry.pattern.of(text_);
      if (text.starts_with(pattern.substr(0, entry.prefix)) && CompiledPattern(pattern, entry.prefix).matches(text) &&
          visit(entry.value))
        return;
    }
  }

  std::span<const Entry> entries() const { return entries_; }
  std::string_view pattern_of(const Entry& entry) const { return entry.pattern.of(text_); }

 private:
  explicit PrefixIndex(std::unique_ptr<const Arranged> own)
      : own_(std::move(own)), text_(own_->text), entries_(own_->entries) {}
  std::int32_t last_not_after(std::string_view text) const;

  std::unique_ptr<const Arranged> own_;  // null where others keep what the views below point to
  std::string_view text_;
  std::span<const Entry> entries_;
};

}  // namespace wheelcheck
