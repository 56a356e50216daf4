// A search for all patterns of a set that match a text. The patterns are sorted by their literal prefix, so a search is
// a binary search followed by a walk over the few patterns whose prefix the text starts with. The build generates the
// index for the tables in data/ as constants; the index of other tables is built when they are read.
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

// A pattern (base/pattern.h) that is parsed once, so that the common forms ("SSL_*", "lts_{version}") need one
// comparison.
struct PatternParts {
  enum class Rest : std::uint32_t { Nothing, Anything, Version, Pattern };

  std::uint32_t prefix = 0, suffix = 0;  // bytes of the literal start and of the literal end
  Rest rest = Rest::Nothing;             // what follows the literal start

  bool operator==(const PatternParts&) const = default;
};
PatternParts parts_of_pattern(std::string_view pattern);
// Matches the rest of a text that is known to start with the pattern's literal start.
bool matches_rest(std::string_view pattern, const PatternParts& parts, std::string_view text);

struct CompiledPattern {
  std::string_view whole;
  PatternParts parts;

  explicit CompiledPattern(std::string_view pattern) : whole(pattern), parts(parts_of_pattern(pattern)) {}
  bool matches(std::string_view text) const {
    return text.starts_with(whole.substr(0, parts.prefix)) && matches_rest(whole, parts, text);
  }
};

class PrefixIndex {
 public:
  struct Entry {
    Piece pattern;  // slice of `text`
    PatternParts parts;
    std::uint32_t value = 0;    // the value that the caller assigned to the pattern
    std::int32_t shorter = -1;  // the entry with the longest prefix that is itself a prefix of this one's, or -1

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
  // The result of arrange(). Both arguments must outlive this object.
  PrefixIndex(std::string_view text, std::span<const Entry> entries) : text_(text), entries_(entries) {}

  // Calls `visit` with the values of the patterns that match, those with the longest literal start first, until it
  // returns true.
  template <class Visit>
  void find(std::string_view text, Visit visit) const {
    for (std::int32_t at = last_not_after(text); at >= 0; at = entries_[static_cast<std::size_t>(at)].shorter) {
      const Entry& entry = entries_[static_cast<std::size_t>(at)];
      const std::string_view pattern = entry.pattern.of(text_);
      if (text.starts_with(pattern.substr(0, entry.parts.prefix)) && matches_rest(pattern, entry.parts, text) &&
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

  std::unique_ptr<const Arranged> own_;  // null if the views below point to memory of others
  std::string_view text_;
  std::span<const Entry> entries_;
};

}  // namespace wheelcheck
