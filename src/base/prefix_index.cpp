#include "base/prefix_index.h"

#include <algorithm>
#include <tuple>

#include "base/pattern.h"
#include "base/text.h"

namespace wheelcheck {
namespace {

using Rest = PatternParts::Rest;

Rest rest_of(std::string_view rest) {
  if (rest.empty()) return Rest::Nothing;
  if (rest == "*" || rest == "**") return Rest::Anything;
  return rest == "{version}" ? Rest::Version : Rest::Pattern;
}

}  // namespace

PatternParts parts_of_pattern(std::string_view pattern) {
  const std::string_view prefix = literal_prefix(pattern);
  PatternParts parts{.prefix = static_cast<std::uint32_t>(prefix.size()),
                     .rest = rest_of(pattern.substr(prefix.size()))};
  if (parts.rest == Rest::Pattern)
    parts.suffix = static_cast<std::uint32_t>(pattern.size() - (pattern.find_last_of("*?[]}") + 1));
  return parts;
}

bool matches_rest(std::string_view pattern, const PatternParts& parts, std::string_view text) {
  switch (parts.rest) {
    case Rest::Nothing:
      return text.size() == parts.prefix;
    case Rest::Anything:
      return true;
    case Rest::Version:
      text.remove_prefix(parts.prefix);
      return !text.empty() && is_digit(text.front()) && is_alnum(text.back()) &&
             std::ranges::all_of(text, [](char c) { return is_alnum(c) || c == '_' || c == '.'; });
    case Rest::Pattern:
      break;
  }
  return text.ends_with(pattern.substr(pattern.size() - parts.suffix)) && match_pattern(pattern, text).has_value();
}

PrefixIndex::PrefixIndex(std::span<const std::pair<std::string_view, std::uint32_t>> patterns) {
  for (const auto& [pattern, value] : patterns)
    entries_.push_back({.pattern = CompiledPattern(pattern), .value = value});
  std::ranges::sort(entries_, {}, [](const Entry& e) { return std::tuple(e.prefix(), e.pattern.whole, e.value); });
  for (std::size_t i = 1; i < entries_.size(); ++i) {
    auto shorter = static_cast<std::int32_t>(i) - 1;
    while (shorter >= 0 && !entries_[i].prefix().starts_with(entries_[static_cast<std::size_t>(shorter)].prefix()))
      shorter = entries_[static_cast<std::size_t>(shorter)].shorter;
    entries_[i].shorter = shorter;
  }
}

// Every entry whose prefix `text` starts with sorts before `text`, and is in the chain (`shorter`) of the last such
// entry.
std::int32_t PrefixIndex::last_not_after(std::string_view text) const {
  const auto after = std::ranges::upper_bound(entries_, text, {}, &Entry::prefix);
  return static_cast<std::int32_t>(after - entries_.begin()) - 1;
}

}  // namespace wheelcheck
