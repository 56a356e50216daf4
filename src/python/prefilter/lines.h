// A file's logical lines and its functions, told by tokens alone: enough to leave most of a file out before it is
// parsed, at a fraction of a parser's cost.
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

// What a token is that begins with a byte.
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
inline bool is_name_byte(char c) { return token_of(c) == Token::Name; }

// Python's lexical analysis, 2.4: behind the string that starts at `at`; npos where it does not end.
std::size_t string_end(std::string_view text, std::size_t at);

// The token at `at`, which moves behind it. A string without an end sets `at` to npos. The letters before a string are
// a Name, and so are numbers.
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

struct Line {  // a logical one: bytes of the text, without blanks before it
  std::size_t begin = 0, end = 0;
  std::size_t indent = 0;
};

// A function at module level or a method; what is inside it belongs to it. Its `def` is the line before `first`.
struct Function {
  std::string_view name;            // that calls it: for __init__ and its like that of the class
  std::size_t first = 0, last = 0;  // lines of its body
};

// What becomes of a line.
enum class Cut : std::uint8_t {
  None,
  Bare,  // of `raise` and `return` the word, of a `def` its name
  Gone,  // with the body, if it is a `def`; where it opens a block, something that does nothing stands for it
};

// A text as lines; views are into the text.
struct Lines {
  std::string_view text;
  std::vector<Line> lines;
  bool may_load = false;            // a loading word stands outside of comments and documentation
  std::vector<Function> functions;  // in order; those whose body stands in the line of the `def` are left out

  std::string_view line(std::size_t index) const;
  // A statement that is a string: documentation.
  bool is_text(const Line& line) const;
  // The text without comments, documentation, and the bodies of functions that are not kept; lines keep their numbers.
  // `kept`: by function; `cuts`: by line, or empty.
  std::string with(const std::vector<bool>& kept, std::span<const Cut> cuts = {}) const;
};

// Nothing for text that cannot be split into lines and strings.
std::optional<Lines> lines_of(std::string_view text);

}  // namespace wheelcheck::python
