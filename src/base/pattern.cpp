// A pattern is cut at its `{version}`. Each half is run over the text once, the second one from the end, which gives
// the places where a version may start and those where it may end.
#include "base/pattern.h"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "base/text.h"

namespace wheelcheck {
namespace {

constexpr std::string_view hole = "{version}";

constexpr bool is_version_byte(char c) { return is_alnum(c) || c == '.' || c == '_'; }

// Whether the byte there stands for itself, and no hole starts there.
inline bool is_literal(std::string_view pattern, std::size_t at) {
  const char c = pattern[at];
  if (is_alnum(c) || c == '_') return true;
  return c != '*' && c != '?' && c != '[' && !(c == '{' && pattern.substr(at).starts_with(hole));
}

// The elements of a pattern without a hole: one byte each, "*" or "**".
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

// reached[i]: the elements match the first i bytes, each taken by `byte_at`. The states are the elements that are done;
// a star hands its state on for nothing and keeps it over a byte.
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

// One step over the text from its end: for each start the furthest end that its run of version bytes allows.
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
  // Nearly every pair differs in its first bytes.
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
