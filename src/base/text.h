// Functions on ASCII text: splitting, matching, escaping and spelling suggestions. None of them depends on the locale.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace wheelcheck {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_lower_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f'); }
constexpr bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
constexpr bool is_alpha(char c) { return is_upper(c) || is_lower(c); }
constexpr bool is_alnum(char c) { return is_alpha(c) || is_digit(c); }
constexpr bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v'; }
constexpr char to_lower(char c) { return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c; }
// The value of a hexadecimal digit, upper or lower case; 16 for any other character.
constexpr unsigned hex_value(char c) {
  if (is_digit(c)) return static_cast<unsigned>(c - '0');
  const char small = to_lower(c);
  return small >= 'a' && small <= 'f' ? static_cast<unsigned>(small - 'a') + 10 : 16;
}

std::string lower(std::string_view text);
std::string_view trim(std::string_view text);
// The last part of a path; "" if the path ends in '/'.
constexpr std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// The path without its last part; "" if it has no '/'.
constexpr std::string_view directory_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == path.npos ? std::string_view() : path.substr(0, slash);
}
// std::ranges::contains of C++23, which libstdc++ 12 lacks.
template <class Range, class Value>
constexpr bool contains(const Range& range, const Value& value) {
  for (const auto& each : range)
    if (each == value) return true;
  return false;
}
// "a::b" at ':' -> {"a", "", "b"}; "" -> {""}.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// Parses digits only, without sign or blanks. False if the text is empty or the number does not fit.
bool parse_number(std::string_view text, std::uint64_t& out);

// Matches a shell pattern against the whole text. `*` matches any run of bytes without '/', `**` any run of bytes, `?`
// one byte except '/', `[a-z]` and `[!a]` one byte. A '[' without ']' matches itself. The time is proportional to the
// pattern's length times the text's length.
bool glob_match(std::string_view pattern, std::string_view text);
// Matches the pattern element at `at`, which must not be `*`, against one byte. Sets `next` to the offset after the
// element.
bool glob_match_byte(std::string_view pattern, std::size_t at, char byte, std::size_t& next);

// True for well-formed UTF-8 without surrogates or overlong forms (Unicode 15, table 3-7).
bool is_utf8(std::string_view text);
// A carriage return without a line feed: universal newlines (Python's email and io modules) end a line there, others
// not.
bool has_lone_return(std::string_view text);
// That, or another character at which Python's str.splitlines() ends a line: VT, FF, FS, GS, RS, U+0085, U+2028,
// U+2029.
bool has_odd_line_end(std::string_view text);
// Decodes the code point at `at` and moves `at` behind it; a byte that is no part of a well-formed sequence gives
// 0xFFFFFFFF and one step.
std::uint32_t next_code_point(std::string_view text, std::size_t& at);
// True for code points that hide or reorder the visible text: controls, bidi controls, zero-width characters, line
// separators.
bool is_deceptive(std::uint32_t code_point);

// Makes text from a wheel safe to print; all such text passes through it. Control, bidi and zero-width characters,
// backslashes that would be read as an escape, and bytes that are not UTF-8 become \xNN or \u{NNNN}. The result is cut
// at `limit` bytes, with a marker.
inline constexpr std::size_t shown_name_limit = 4096;
std::string escape(std::string_view text, std::size_t limit = shown_name_limit);

// Words of messages and commands.
inline constexpr std::size_t shown_items = 8;     // in a list of evidence
inline constexpr std::size_t shown_symbols = 32;  // in a list of symbols in evidence
// "a, b and 4 more"
std::string list_of(const std::vector<std::string>& items, std::size_t max = shown_items);
// The same for unsorted items, possibly thousands: sorts only those that are shown.
std::string list_of_first(std::vector<std::string_view> items, std::size_t max = shown_items);
// "a and 4 more" for a message; "" for an empty list.
std::string first_of(const std::vector<std::string>& items);
// "1 file", "2 files"; `plural` if adding an 's' is not enough.
std::string count_of(std::size_t count, std::string_view singular, std::string_view plural = "");
// 999 B, 1.2 kB, 104.8 MB: decimal units, one decimal, truncated.
std::string size_text(std::uint64_t bytes);
// One argument for a POSIX shell, quoted if needed. Names come from untrusted wheels, and users paste the commands.
std::string shell_word(std::string_view text);

// Suggestions for misspelt words.

// The number of edits between two words: a character inserted, deleted or replaced, or two adjacent ones exchanged
// (optimal string alignment, with three rows of the matrix).
std::size_t edit_distance(std::string_view a, std::string_view b);
// The word with the fewest edits (insertion, deletion, replacement, transposition) to `word`, at most one per three
// letters and at most three, in upper or lower case. "" if no word is that close.
std::string closest(std::string_view word, std::span<const std::string> words);

}  // namespace wheelcheck
