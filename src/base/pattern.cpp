// Matching of patterns with a `{version}`. The pattern is split at its `{version}`. The first half is matched against
// the text from the start and gives the offsets where a version may start; the second half is matched from the end and
// gives the offsets where it may end.
#include "base/pattern.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/text.h"

namespace wheelcheck {
namespace {

constexpr std::string_view hole = "{version}";

constexpr bool is_version_byte(char c) { return is_alnum(c) || c == '.' || c == '_'; }

// True if the byte at `at` matches only itself and no `{version}` starts there.
inline bool is_literal(std::string_view pattern, std::size_t at) {
  const char c = pattern[at];
  if (is_alnum(c) || c == '_') return true;
  return c != '*' && c != '?' && c != '[' && !(c == '{' && pattern.substr(at).starts_with(hole));
}

// The elements of a pattern without `{version}`: one byte each, "*" or "**".
std::vector<std::string_view> elements_of(std::string_view pattern) {
  std::vector<std::string_view> result;
  for (std::size_t at = 0; at < pattern.size();) {
    std::size_t next = at;
    if (pattern[at] == '*') {
      while (next < pattern.size() && pattern[next] == '*') ++next;
    } else {
      glob_match_byte(pattern, at, '\0', next);
    }
    result.push_back(pattern.substr(at, next - at));
    at = next;
  }
  return result;
}

// reached[i] is true if the elements match the first i bytes of the text, each read by `byte_at`. This simulates a
// nondeterministic automaton whose state is the number of elements matched so far. A star passes its state on without a
// byte, and keeps its state when it consumes a byte.
template <class ByteAt>
std::vector<char> reached(const std::vector<std::string_view>& elements, std::size_t size, ByteAt byte_at) {
  std::vector<char> result(size + 1), now(elements.size() + 1), then(elements.size() + 1);
  now[0] = 1;
  for (std::size_t i = 0;; ++i) {
    for (std::size_t k = 0; k < elements.size(); ++k)
      if (now[k] && elements[k][0] == '*') now[k + 1] = 1;
    result[i] = now.back();
    if (i == size) return result;
    std::ranges::fill(then, 0);
    const char byte = byte_at(i);
    for (std::size_t k = 0; k < elements.size(); ++k) {
      if (!now[k]) continue;
      std::size_t next = 0;
      if (elements[k][0] == '*') {
        then[k] |= static_cast<char>(elements[k].size() > 1 || byte != '/');
      } else if (glob_match_byte(elements[k], 0, byte, next)) {
        then[k + 1] = 1;
      }
    }
    std::swap(now, then);
  }
}

// One pass over the text from its end. `end` is the furthest end that the current run of version bytes allows for the
// start at i.
std::string_view first_version(std::string_view text, const std::vector<char>& starts, const std::vector<char>& ends) {
  constexpr std::size_t none = std::string_view::npos;
  std::size_t end = none;
  std::string_view found;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (!is_version_byte(text[i])) {
      end = none;
      continue;
    }
    if (end == none && is_alnum(text[i]) && ends[text.size() - i - 1]) end = i + 1;
    if (end != none && is_digit(text[i]) && starts[i]) found = text.substr(i, end - i);
  }
  return found;
}

std::string with_dots(std::string_view version) {
  std::string result(version);
  if (version.find('.') == version.npos) std::ranges::replace(result, '_', '.');
  return result;
}

}  // namespace

bool finds_version(std::string_view pattern) { return pattern.find(hole) != pattern.npos; }

std::string_view literal_prefix(std::string_view pattern) {
  std::size_t end = 0;
  while (end < pattern.size() && is_literal(pattern, end)) ++end;
  return pattern.substr(0, end);
}

std::optional<PatternMatch> match_pattern(std::string_view pattern, std::string_view text) {
  // Most pairs differ in their first bytes, so literal bytes are compared first.
  for (std::size_t i = 0; i < pattern.size() && is_literal(pattern, i); ++i)
    if (i == text.size() || text[i] != pattern[i]) return std::nullopt;
  const std::size_t at = pattern.find(hole);
  if (at == pattern.npos) return glob_match(pattern, text) ? std::optional(PatternMatch{}) : std::nullopt;

  const std::vector<std::string_view> before = elements_of(pattern.substr(0, at));
  std::vector<std::string_view> after = elements_of(pattern.substr(at + hole.size()));
  std::ranges::reverse(after);
  const std::vector<char> starts = reached(before, text.size(), [&](std::size_t i) { return text[i]; });
  const std::vector<char> ends = reached(after, text.size(), [&](std::size_t i) { return text[text.size() - i - 1]; });
  const std::string_view version = first_version(text, starts, ends);
  if (version.empty()) return std::nullopt;
  return PatternMatch{with_dots(version)};
}

}  // namespace wheelcheck
