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

PrefixIndex::Arranged PrefixIndex::arrange(std::span<const std::pair<std::string_view, std::uint32_t>> patterns) {
  Arranged result;
  for (const auto& [pattern, value] : patterns) {
    result.entries.push_back(
        {.pattern = {static_cast<std::uint32_t>(result.text.size()), static_cast<std::uint32_t>(pattern.size())},
         .parts = parts_of_pattern(pattern),
         .value = value});
    result.text += pattern;
  }
  const auto prefix_of = [&](const Entry& e) { return e.pattern.of(result.text).substr(0, e.parts.prefix); };
  std::ranges::sort(result.entries, {},
                    [&](const Entry& e) { return std::tuple(prefix_of(e), e.pattern.of(result.text), e.value); });
  for (std::size_t i = 1; i < result.entries.size(); ++i) {
    auto shorter = static_cast<std::int32_t>(i) - 1;
    while (shorter >= 0 &&
           !prefix_of(result.entries[i]).starts_with(prefix_of(result.entries[static_cast<std::size_t>(shorter)])))
      shorter = result.entries[static_cast<std::size_t>(shorter)].shorter;
    result.entries[i].shorter = shorter;
  }
  return result;
}

// Every entry whose prefix `text` starts with sorts before `text`, and is in the chain (`shorter`) of the last such
// entry.
std::int32_t PrefixIndex::last_not_after(std::string_view text) const {
  const auto prefix_of = [this](const Entry& e) { return e.pattern.of(text_).substr(0, e.parts.prefix); };
  const auto after = std::ranges::upper_bound(entries_, text, {}, prefix_of);
  return static_cast<std::int32_t>(after - entries_.begin()) - 1;
}

}  // namespace wheelcheck
