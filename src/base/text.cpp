// Splitting, matching and escaping of ASCII text, and the search for the closest of several words.
#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <iterator>
#include <numeric>
#include <utility>
#include <vector>

namespace wheelcheck {

std::string lower(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), to_lower);
  return out;
}

std::string_view trim(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  parts.reserve(static_cast<std::size_t>(std::ranges::count(text, separator)) + 1);
  for (;;) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

bool parse_number(std::string_view text, std::uint64_t& out) {
  if (text.empty() || !std::ranges::all_of(text, is_digit)) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc() && end == text.data() + text.size();
}

bool glob_match_byte(std::string_view pattern, std::size_t p, char c, std::size_t& next) {
  if (pattern[p] == '?') {
    next = p + 1;
    return c != '/';
  }
  if (pattern[p] == '[') {
    std::size_t i = p + 1;
    const bool negated = i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^');
    if (negated) ++i;
    const std::size_t end = pattern.find(']', i + 1);
    if (end != std::string_view::npos) {
      bool hit = false;
      while (i < end) {
        if (i + 2 < end && pattern[i + 1] == '-') {
          hit |= static_cast<unsigned char>(c) >= static_cast<unsigned char>(pattern[i]) &&
                 static_cast<unsigned char>(c) <= static_cast<unsigned char>(pattern[i + 2]);
          i += 3;
        } else {
          hit |= c == pattern[i++];
        }
      }
      next = end + 1;
      return hit != negated && c != '/';
    }
  }
  next = p + 1;
  return pattern[p] == c;
}

bool glob_match(std::string_view pattern, std::string_view text) {
  // Two positions for backtracking: the last `*` (which does not match '/') and the last `**`. Only the last star of
  // each kind is retried. The work is bounded by pattern times text, and by text once more for the combination of both.
  struct Mark {
    std::size_t pattern = std::string_view::npos, text = 0;
  } star, deep;
  std::size_t p = 0, t = 0;
  while (t < text.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      if (p + 1 < pattern.size() && pattern[p + 1] == '*') {
        while (p < pattern.size() && pattern[p] == '*') ++p;
        deep = {p, t};
        star = {};
      } else {
        star = {++p, t};
      }
      continue;
    }
    std::size_t next = p;
    if (t < text.size() && p < pattern.size() && glob_match_byte(pattern, p, text[t], next)) {
      p = next;
      ++t;
      continue;
    }
    if (star.pattern != std::string_view::npos && star.text < text.size() && text[star.text] != '/') {
      p = star.pattern;
      t = ++star.text;
    } else if (deep.pattern != std::string_view::npos && deep.text < text.size()) {
      star = {};
      p = deep.pattern;
      t = ++deep.text;
    } else {
      return false;
    }
  }
  return true;
}

std::uint32_t next_code_point(std::string_view text, std::size_t& at) {
  constexpr std::uint32_t bad = 0xFFFFFFFF;
  const auto byte = [&](std::size_t i) -> std::uint32_t {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const std::uint32_t first = byte(at);
  const auto continued = [&](std::size_t count, std::uint32_t value, std::uint32_t least) {
    for (std::size_t i = 1; i <= count; ++i) {
      if ((byte(at + i) & 0xC0u) != 0x80u) {
        ++at;
        return bad;
      }
      value = value << 6 | (byte(at + i) & 0x3Fu);
    }
    if (value < least || value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      ++at;
      return bad;
    }
    at += count + 1;
    return value;
  };
  if (first < 0x80) {
    ++at;
    return first;
  }
  if (first >= 0xC2 && first <= 0xDF) return continued(1, first & 0x1Fu, 0x80);
  if (first >= 0xE0 && first <= 0xEF) return continued(2, first & 0x0Fu, 0x800);
  if (first >= 0xF0 && first <= 0xF4) return continued(3, first & 0x07u, 0x10000);
  ++at;
  return bad;
}

namespace {

// The offset of the first byte from `at` on that is not ASCII; it tests eight bytes at a time.
std::size_t ascii_until(std::string_view text, std::size_t at) {
  constexpr std::uint64_t high = 0x8080808080808080;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & high) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

bool has_lone_return(std::string_view text) {
  for (std::size_t at = text.find('\r'); at != text.npos; at = text.find('\r', at + 1))
    if (at + 1 == text.size() || text[at + 1] != '\n') return true;
  return false;
}

bool has_odd_line_end(std::string_view text) {
  using namespace std::string_view_literals;
  return has_lone_return(text) || text.find_first_of("\v\f\x1c\x1d\x1e"sv) != text.npos ||
         text.find("\xc2\x85"sv) != text.npos || text.find("\xe2\x80\xa8"sv) != text.npos ||
         text.find("\xe2\x80\xa9"sv) != text.npos;
}

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    at = ascii_until(text, at);
    if (at < text.size() && next_code_point(text, at) == 0xFFFFFFFF) return false;
  }
  return true;
}

bool is_deceptive(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c <= 0x9F) || c == 0xAD || c == 0x61C || c == 0x180E ||
         (c >= 0x200B && c <= 0x200F) || (c >= 0x2028 && c <= 0x202E) || (c >= 0x2060 && c <= 0x206F) || c == 0xFEFF ||
         (c >= 0xFFF9 && c <= 0xFFFB) || (c >= 0xE0000 && c <= 0xE007F);
}

namespace {

bool shows_as_it_is(char c) { return c >= ' ' && c <= '~' && c != '\\'; }

}  // namespace

std::string escape(std::string_view text, std::size_t limit) {
  std::string out;
  out.reserve(std::min(text.size(), limit));
  for (std::size_t at = 0; at < text.size();) {
    if (out.size() >= limit) {
      fmt::format_to(std::back_inserter(out), "...({} bytes in all)", text.size());
      return out;
    }
    const std::string_view rest = text.substr(at, limit - out.size());
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(rest, shows_as_it_is) - rest.begin());
    if (plain > 0) {
      out.append(rest.substr(0, plain));
      at += plain;
      continue;
    }
    const std::size_t start = at;
    const std::uint32_t c = next_code_point(text, at);
    const char next = at < text.size() ? text[at] : '\0';
    if (c == 0xFFFFFFFF || (c < 0x80 && is_deceptive(c)))
      fmt::format_to(std::back_inserter(out), "\\x{:02x}", static_cast<unsigned char>(text[start]));
    else if (is_deceptive(c))
      fmt::format_to(std::back_inserter(out), "\\u{{{:04x}}}", c);
    else if (c == '\\' && (next == 'x' || next == 'u' || next == '\\'))
      out += "\\\\";
    else
      out.append(text.substr(start, at - start));
  }
  return out;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  std::iota(above.begin(), above.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::string closest(std::string_view word, std::span<const std::string> words) {
  constexpr std::size_t longest = 255;  // of a file name
  std::string best;
  std::size_t least = std::min<std::size_t>(word.size() / 3, 3) + 1;
  if (word.size() > longest) return "";
  for (const std::string& candidate : words) {
    if (candidate.size() >= word.size() + least || word.size() >= candidate.size() + least) continue;
    const std::size_t edits = edit_distance(lower(word), lower(candidate));
    // Exchanged letters are likelier than others: manylinux_2_82 is 2_28 rather than 2_12.
    const bool likelier = edits == least && !best.empty() && std::ranges::is_permutation(word, candidate) &&
                          !std::ranges::is_permutation(word, best);
    if (edits < least || likelier) least = edits, best = candidate;
  }
  return best;
}

namespace {

template <class Text>
std::string listed(const std::vector<Text>& items, std::size_t max) {
  if (items.size() <= max) return fmt::format("{}", fmt::join(items, ", "));
  return fmt::format("{} and {} more", fmt::join(items.begin(), items.begin() + static_cast<std::ptrdiff_t>(max), ", "),
                     items.size() - max);
}

}  // namespace

std::string list_of(const std::vector<std::string>& items, std::size_t max) { return listed(items, max); }

std::string list_of_first(std::vector<std::string_view> items, std::size_t max) {
  std::ranges::partial_sort(items, items.begin() + static_cast<std::ptrdiff_t>(std::min(max, items.size())));
  return listed(items, max);
}

std::string first_of(const std::vector<std::string>& items) {
  if (items.empty()) return "";
  if (items.size() == 1) return items.front();
  return fmt::format("{} and {} more", items.front(), items.size() - 1);
}

std::string size_text(std::uint64_t bytes) {
  static constexpr std::array<std::string_view, 6> units = {"kB", "MB", "GB", "TB", "PB", "EB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  std::uint64_t unit = 1000;
  std::size_t at = 0;
  while (at + 1 < units.size() && bytes / unit >= 1000) {
    unit *= 1000;
    ++at;
  }
  return fmt::format("{}.{} {}", bytes / unit, bytes % unit / (unit / 10), units[at]);
}

std::string count_of(std::size_t count, std::string_view singular, std::string_view plural) {
  if (count == 1) return fmt::format("1 {}", singular);
  return plural.empty() ? fmt::format("{} {}s", count, singular) : fmt::format("{} {}", count, plural);
}

std::string shell_word(std::string_view text) {
  const auto plain = [](char c) {
    return is_alnum(c) || std::string_view("_@%+=:,./-").find(c) != std::string_view::npos;
  };
  if (!text.empty() && text.front() != '-' && std::ranges::all_of(text, plain)) return std::string(text);
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'') {
      result += "'\\''";
    } else {
      result += c;
    }
  }
  return result + "'";
}

}  // namespace wheelcheck
