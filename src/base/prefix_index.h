// A search for all patterns of a set that match a text. The patterns are sorted by their literal prefix, so a search is
// a binary search followed by a walk over the few patterns whose prefix the text starts with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

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
  PrefixIndex() = default;
  // Patterns, each with a value of the caller. The texts must outlive the index.
  explicit PrefixIndex(std::span<const std::pair<std::string_view, std::uint32_t>> patterns);

  // Calls `visit` with the values of the patterns that match, those with the longest literal start first, until it
  // returns true.
  template <class Visit>
  void find(std::string_view text, Visit visit) const {
    for (std::int32_t at = last_not_after(text); at >= 0; at = entries_[static_cast<std::size_t>(at)].shorter) {
      const Entry& entry = entries_[static_cast<std::size_t>(at)];
      if (entry.pattern.matches(text) && visit(entry.value)) return;
    }
  }

 private:
  struct Entry {
    CompiledPattern pattern;
    std::uint32_t value = 0;
    std::int32_t shorter = -1;  // the entry with the longest prefix that is itself a prefix of this one's, or -1

    std::string_view prefix() const { return pattern.whole.substr(0, pattern.parts.prefix); }
  };
  std::int32_t last_not_after(std::string_view text) const;

  std::vector<Entry> entries_;  // by prefix, then pattern, then value
};

}  // namespace wheelcheck
