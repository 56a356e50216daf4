// Finds syntax that only some CPythons have ("What's New" of each release).
#include "python/prefilter/version_syntax.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "base/text.h"
#include "python/prefilter/lines.h"

namespace wheelcheck::python {
namespace {

constexpr int minor_of_fstrings = 6, minor_of_walrus = 8, minor_of_match = 10, minor_of_groups = 11, minor_of_type = 12,
              minor_of_nested_fstrings = 12, minor_of_tstrings = 14;

struct Place {
  int since = 0;
  std::size_t at = 0;
  const char* what = "";
};

// A token of a line that is neither blank nor a comment.
struct Piece {
  Token token = Token::Other;
  std::string_view text;
  bool joins = false;  // nothing is between it and the token before
};

bool is_operator_word(std::string_view word) {
  constexpr auto words =
      std::to_array<std::string_view>({"and", "as", "else", "for", "from", "if", "in", "is", "not", "or"});
  return std::ranges::find(words, word) != words.end();
}

// True for an f-string token that ends inside of a replacement field: a string with the same quotes is nested in it,
// which CPython before 3.12 takes for the end (PEP 701).
bool ends_in_field(std::string_view string) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < string.size(); ++at) {
    const bool twice = string.substr(at + 1).starts_with(string[at]);
    if (depth == 0 && twice && (string[at] == '{' || string[at] == '}')) {
      ++at;
    } else if (string[at] == '{') {
      ++depth;
    } else if (string[at] == '}' && depth > 0) {
      --depth;
    }
  }
  return depth > 0;
}

class Scan {
 public:
  explicit Scan(const Lines& lines) : lines_(lines) {
    for (std::size_t i = 0; i < lines.lines.size(); ++i) line(i);
  }
  std::vector<PythonSyntax> found() const {
    std::vector<PythonSyntax> result;
    for (const std::optional<Place>& place : {newest_, old_})
      if (place) result.push_back({.since = place->since, .line = lines_.number_of(place->at), .what = place->what});
    return result;
  }

 private:
  // The first tokens of a line say what kind of statement it is.
  static constexpr std::size_t most_first = 4;

  void line(std::size_t index) {
    const Line& line = lines_.lines[index];
    std::array<Piece, most_first> first;
    std::size_t count = 0, depth = 0;
    Piece before, now;
    bool blank = false;
    for (std::size_t at = line.begin; at < line.end;) {
      const std::size_t begin = at;
      const Token token = next_token(lines_.text, at);
      if (at == lines_.text.npos) return;
      if (is_filler(token)) {
        blank = true;
        continue;
      }
      before = now;
      now = {token, lines_.text.substr(begin, at - begin), !blank};
      blank = false;
      if (count < most_first) first[count++] = now;
      pair(before, now, begin);
      const bool in_def = count > 0 && (first[0].text == "def" || (first[0].text == "async" && first[1].text == "def"));
      if (in_def && depth == 1 && now.text == "/" && (before.text == "," || before.text == "("))
        note(minor_of_walrus, begin, "a positional-only parameter");
      if (token == Token::Open) ++depth;
      if (token == Token::Close && depth > 0) --depth;
    }
    statement(index, {first.data(), count}, now);
  }

  void pair(const Piece& before, const Piece& now, std::size_t at) {
    if (now.token == Token::String && now.joins && before.token == Token::Name && before.text.size() <= 2) {
      const std::string prefix = lower(before.text);
      if (prefix == "f" || prefix == "fr" || prefix == "rf") {
        const bool nested = ends_in_field(now.text);
        note(nested ? minor_of_nested_fstrings : minor_of_fstrings, at,
             nested ? "an f-string with its own quotes in an expression" : "an f-string");
      }
      if (prefix == "t" || prefix == "tr" || prefix == "rt") note(minor_of_tstrings, at, "a t-string");
    }
    if (now.text == "=" && now.joins && before.text == ":") note(minor_of_walrus, at, "an assignment expression (:=)");
  }

  void statement(std::size_t index, std::span<const Piece> first, const Piece& last) {
    const std::size_t at = lines_.lines[index].begin;
    if (first.size() < 2) return;
    const std::string_view word = first[0].text;
    const std::size_t name = word == "async" ? 2 : 1;
    const bool defines = word == "class" || word == "def" || (word == "async" && first[1].text == "def");
    if (defines && first.size() > name + 1 && first[name].token == Token::Name && first[name + 1].text == "[")
      note(minor_of_type, at, "a type parameter");
    if (word == "type" && first.size() > 2 && first[1].token == Token::Name && !is_operator_word(first[1].text) &&
        (first[2].text == "=" || first[2].text == "["))
      note(minor_of_type, at, "a type statement");
    if (word == "except" && first[1].text == "*") note(minor_of_groups, at, "except*");
    if (word == "match" && last.text == ":" && first[1].text != "=" && first[1].text != "." && opens_case(index))
      note(minor_of_match, at, "a match statement");
    old(first, at);
  }

  bool opens_case(std::size_t index) const {
    return index + 1 < lines_.lines.size() && lines_.lines[index + 1].indent > lines_.lines[index].indent &&
           lines_.line(index + 1).starts_with("case") && !is_name_byte(lines_.line(index + 1).substr(4, 1).front());
  }

  void old(std::span<const Piece> first, std::size_t at) {
    if (old_) return;
    const bool adjacent =
        first[1].token == Token::String || (first[1].token == Token::Name && !is_operator_word(first[1].text));
    if ((first[0].text == "print" || first[0].text == "exec") && adjacent)
      old_ =
          Place{PythonSyntax::only_python_2, at, first[0].text == "print" ? "a print statement" : "an exec statement"};
  }

  void note(int since, std::size_t at, const char* what) {
    if (!newest_ || newest_->since < since) newest_ = Place{since, at, what};
  }

  const Lines& lines_;
  std::optional<Place> newest_, old_;
};

}  // namespace

std::vector<PythonSyntax> version_syntax(std::string_view source) {
  const std::optional<Lines> lines = lines_of(source);
  return lines ? version_syntax(*lines) : std::vector<PythonSyntax>{};
}

std::vector<PythonSyntax> version_syntax(const Lines& lines) { return Scan(lines).found(); }

}  // namespace wheelcheck::python
