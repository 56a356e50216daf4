// The logical lines and functions of a Python file, found by its tokens without parsing. The prefilter uses them to
// remove most of a file before the parser runs, at a fraction of the parser's cost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace wheelcheck::python {

enum class Token : std::uint8_t { Name, String, Comment, Open, Close, Newline, Joined, Blank, Other };

// The kind of a token by its first byte.
inline constexpr std::array<Token, 256> token_of_byte = [] {
  std::array<Token, 256> tokens{};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    const char c = static_cast<char>(i);
    tokens[i] = is_alnum(c) || c == '_' || i >= 0x80 ? Token::Name
                : c == '"' || c == '\''              ? Token::String
                : c == '#'                           ? Token::Comment
                : c == '\\'                          ? Token::Joined
                : c == '(' || c == '[' || c == '{'   ? Token::Open
                : c == ')' || c == ']' || c == '}'   ? Token::Close
                : c == '\n'                          ? Token::Newline
                : is_blank(c)                        ? Token::Blank
                                                     : Token::Other;
  }
  return tokens;
}();
inline Token token_of(char c) { return token_of_byte[static_cast<unsigned char>(c)]; }
// True for what stands between the tokens of a statement.
inline bool is_filler(Token token) {
  return token == Token::Blank || token == Token::Comment || token == Token::Newline || token == Token::Joined;
}
inline bool is_name_byte(char c) { return token_of(c) == Token::Name; }

// The end of the string that starts at `at` (Python's lexical analysis, 2.4); npos if it is not terminated.
std::size_t string_end(std::string_view text, std::size_t at);

// The token at `at`; moves `at` to its end. An unterminated string sets `at` to npos. The prefix of a string is a Name,
// and numbers are Names too.
inline Token next_token(std::string_view text, std::size_t& at) {
  const Token token = token_of(text[at]);
  switch (token) {
    case Token::Name:
    case Token::Blank:
      while (at < text.size() && token_of(text[at]) == token) ++at;
      return token;
    case Token::String:
      at = string_end(text, at);
      return token;
    case Token::Comment:
      at = std::min(text.find('\n', at), text.size());
      return token;
    case Token::Joined:
      at = std::min(at + (text.substr(at).starts_with("\\\r\n") ? 3 : 2), text.size());
      return token;
    default:
      ++at;
      return token;
  }
}

// About how many tokens the text has, with the words of comments and strings. It measures what parsing may cost.
std::size_t token_count(std::string_view text);

// A logical line: byte offsets, without leading blanks.
struct Line {
  std::size_t begin = 0, end = 0;
  std::size_t indent = 0;
};

// A function at module level or a method, including nested functions. Its `def` is the line before `first`.
struct Function {
  std::string_view name;  // the name that calls it; for __init__ and other special methods the name of the class
  std::size_t first = 0, last = 0;  // lines of its body
};

// How a line is removed.
enum class Cut : std::uint8_t {
  None,
  Bare,  // only the keyword of `raise` or `return`, or the name of a `def`, is kept
  // Removed; of a `def` with its body. If it opens a block, a statement without effect replaces it.
  Gone,
};

// A text split into lines; the views point into the text.
struct Lines {
  std::string_view text;
  std::vector<Line> lines;
  bool may_load = false;            // a loading word occurs outside of comments and documentation
  std::vector<Function> functions;  // in order; functions with the body in the line of the `def` are omitted

  std::string_view line(std::size_t index) const;
  // The number of the line of the text with the byte at that offset, from 1.
  std::uint32_t number_of(std::size_t at) const {
    return static_cast<std::uint32_t>(1 + std::ranges::count(text.substr(0, at), '\n'));
  }
  // True for a statement that is only a string: documentation.
  bool is_text(const Line& line) const;
  // The text without comments, documentation, and the bodies of functions that are not kept. Line numbers do not
  // change. `kept`: by function; `cuts`: by line, or empty.
  std::string with(const std::vector<bool>& kept, std::span<const Cut> cuts = {}) const;
};

// nullopt for a text that cannot be split into lines and strings.
std::optional<Lines> lines_of(std::string_view text);

}  // namespace wheelcheck::python
