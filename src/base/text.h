// ASCII text: splitting, matching and showing. No function here looks at the locale.
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

std::string lower(std::string_view text);
std::string_view trim(std::string_view text);
// A path without its directories; "" where it ends in a '/'.
constexpr std::string_view base_name(std::string_view path) { return path.substr(path.rfind('/') + 1); }
// "a::b" at ':' -> {"a", "", "b"}; "" -> {""}.
std::vector<std::string_view> split(std::string_view text, char separator);
std::string join(const std::vector<std::string>& parts, std::string_view separator);
// Digits only, no sign, no blanks; false where the text is empty or the number does not fit.
bool parse_number(std::string_view text, std::uint64_t& out);

// Shell pattern over the whole text: `*` any run of bytes but '/', `**` any run of bytes, `?` one byte but '/',
// `[a-z]`, `[!a]` one byte. A '[' without its ']' stands for itself. Time is linear in pattern times text.
bool glob_match(std::string_view pattern, std::string_view text);
// The element of such a pattern that starts at `at`, no `*`, against one byte. Sets `next` behind the element.
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
// Code points that hide or reorder what a reader sees: controls, bidi, zero width, line separators.
bool is_deceptive(std::uint32_t code_point);

// The only way for text out of a wheel to the outside: control, bidi and zero-width characters, backslashes that would
// be read as an escape, and bytes that are no UTF-8 become \xNN or \u{NNNN}; cut at `limit` bytes with a marker.
inline constexpr std::size_t shown_name_limit = 4096;
std::string escape(std::string_view text, std::size_t limit = shown_name_limit);

// The word that was probably meant by a misspelt one.

// The word with the fewest edits (insertion, deletion, replacement, exchange of neighbours) to `word`, at most one for
// three letters; "" where none is that close.
std::string closest(std::string_view word, std::span<const std::string> words);

}  // namespace wheelcheck
