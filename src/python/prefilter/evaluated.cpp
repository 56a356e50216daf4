#include "python/prefilter/evaluated.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace wheelcheck::python {
namespace {

constexpr int minor_of_generics = 9, minor_of_unions = 10, minor_of_weakref_slot = 11;

bool is_among(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}
// Classes that can be subscripted from 3.9 on.
constexpr auto generics = std::to_array<std::string_view>({"dict", "frozenset", "list", "set", "tuple", "type"});
constexpr auto builtins =
    std::to_array<std::string_view>({"bool", "bytearray", "bytes", "complex", "dict", "float", "frozenset", "int",
                                     "list", "object", "set", "str", "tuple", "type"});
constexpr auto keywords_of_3_10 = std::to_array<std::string_view>({"kw_only", "match_args", "slots"});

constexpr auto one_line_blocks = std::to_array<std::string_view>({"else", "finally", "try"});  // `else: x = y | None`

struct Part {
  Token token = Token::Other;
  std::string_view text;
  std::size_t at = 0;
};

// The block that a line is in: its first word, and the indentation of its head.
struct Block {
  std::size_t indent = 0;
  bool is_class = false;
};

constexpr std::size_t most_pieces = 10'000;  // of a line; longer ones are tables

class EvaluatedScan {
 public:
  explicit EvaluatedScan(const Lines& lines) : lines_(lines) {
    for (std::size_t i = 0; i < lines.lines.size() && !postponed_; ++i) line(lines.lines[i]);
  }
  std::optional<PythonSyntax> found() const {
    if (since_ == 0 || postponed_) return std::nullopt;
    return PythonSyntax{.since = since_, .line = lines_.number_of(at_), .what = what_, .evaluated = true};
  }

 private:
  void line(const Line& line) {
    while (!blocks_.empty() && blocks_.back().indent >= line.indent) blocks_.pop_back();
    const bool runs = std::ranges::all_of(blocks_, &Block::is_class);
    const std::vector<Part> pieces = pieces_of(line);
    if (pieces.empty()) return;
    const std::string_view word = pieces.front().text;
    if (pieces.back().text == ":") blocks_.push_back({line.indent, word == "class"});
    if (!runs) return;
    if (word == "from" && pieces.size() > 3) imports_from(pieces);
    if (word == "@") decorator(pieces);
    const bool is_async = word == "async" && pieces.size() > 1 && pieces[1].text == "def";
    if (word == "def" || is_async)
      signature(pieces);
    else if (pieces.size() > 2 && pieces.front().token == Token::Name && pieces[1].text == ":" &&
             pieces[2].text != "=" && !is_among(word, one_line_blocks))
      variable(pieces);
  }

  std::vector<Part> pieces_of(const Line& line) const {
    std::vector<Part> pieces;
    for (std::size_t at = line.begin; at < line.end;) {
      const std::size_t begin = at;
      const Token token = next_token(lines_.text, at);
      if (at == lines_.text.npos) return {};
      if (is_filler(token)) continue;
      if (pieces.size() == most_pieces) return {};
      pieces.push_back({token, lines_.text.substr(begin, at - begin), begin});
    }
    return pieces;
  }

  void imports_from(std::span<const Part> pieces) {
    const auto names = [&](std::string_view name) {
      return std::ranges::find(pieces, name, &Part::text) != pieces.end();
    };
    if (pieces[1].text == "__future__" && names("annotations")) postponed_ = true;
    if (pieces[1].text == "dataclasses" && names("dataclass")) has_dataclass_ = true;
    // Its forms have an operator | in every CPython.
    if (pieces[1].text == "typing_extensions")
      for (const Part& piece : pieces.subspan(3)) with_operator_.insert(piece.text);
  }

  // @dataclass(slots=True), @dataclasses.dataclass(...): the standard library's, not that of attrs or pydantic.
  void decorator(std::span<const Part> pieces) {
    std::size_t at = 1;
    if (pieces.size() > 4 && pieces[1].text == "dataclasses" && pieces[2].text == ".") at = 3;
    const bool is_dataclass = pieces.size() > at + 2 && pieces[at].text == "dataclass" && pieces[at + 1].text == "(";
    if (!is_dataclass || (at == 1 && !has_dataclass_)) return;
    std::size_t depth = 0;
    for (std::size_t i = at + 1; i + 1 < pieces.size(); ++i) {
      if (pieces[i].token == Token::Open) ++depth;
      if (pieces[i].token == Token::Close && depth > 0) --depth;
      if (depth != 1 || pieces[i + 1].text != "=" || pieces[i].token != Token::Name) continue;
      if (is_among(pieces[i].text, keywords_of_3_10))
        note(minor_of_unions, pieces[i].at, "@dataclass(" + std::string(pieces[i].text) + "=...)");
      if (pieces[i].text == "weakref_slot") note(minor_of_weakref_slot, pieces[i].at, "@dataclass(weakref_slot=...)");
    }
  }

  // name: annotation = value
  void variable(std::span<const Part> pieces) {
    std::size_t depth = 0, end = 2;
    for (; end < pieces.size(); ++end) {
      if (pieces[end].token == Token::Open) ++depth;
      if (pieces[end].token == Token::Close && depth > 0) --depth;
      if (depth == 0 && pieces[end].text == "=") break;
    }
    annotation(pieces.subspan(2, end - 2));
  }

  // def name(parameter: annotation = default, ...) -> annotation:
  void signature(std::span<const Part> pieces) {
    std::size_t depth = 0, begin = 0;  // begin: of an annotation; 0: none
    bool in_default = false, over = false;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::string_view text = pieces[i].text;
      const bool ends = (depth == 1 && (text == "," || text == "=" || text == ")")) || (depth == 0 && text == ":");
      if (ends && begin != 0) annotation(pieces.subspan(begin, i - begin));
      if (ends) begin = 0;
      if (ends && depth == 0) return;
      if (depth == 1 && text == ",") in_default = false;
      if (depth == 1 && text == "=") in_default = true;
      if (depth == 1 && text == ":" && !in_default && !over) begin = i + 1;
      if (depth == 0 && over && text == ">" && pieces[i - 1].text == "-") begin = i + 1;
      if (pieces[i].token == Token::Open) ++depth;
      if (pieces[i].token == Token::Close && depth > 0 && --depth == 0) over = true;
    }
  }

  void annotation(std::span<const Part> pieces) {
    const bool has_operator =
        std::ranges::any_of(pieces, [&](const Part& piece) { return with_operator_.contains(piece.text); });
    for (std::size_t i = 0; i < pieces.size(); ++i) {
      const std::string_view text = pieces[i].text, before = i > 0 ? pieces[i - 1].text : std::string_view();
      const Part* const next = i + 1 < pieces.size() ? &pieces[i + 1] : nullptr;
      if (next != nullptr && next->text == "[" && before != "." && is_among(text, generics))
        note(minor_of_generics, pieces[i].at, "the annotation " + std::string(text) + "[...]");
      if (text != "|" || next == nullptr || i == 0 || has_operator) continue;
      // A text may be one operand of nothing but a class with __ror__.
      if (pieces[i - 1].token == Token::String || next->token == Token::String) continue;
      const bool both = is_among(before, builtins) && is_among(next->text, builtins);
      const bool plain =
          !both || ((i < 2 || pieces[i - 2].text != ".") && (i + 2 >= pieces.size() || pieces[i + 2].text != "."));
      if (before == "None" || next->text == "None" || (both && plain))
        note(minor_of_unions, pieces[i].at,
             "the annotation " + std::string(before == "]" || before == ")" ? "..." : before) + " | " +
                 std::string(next->text));
    }
  }

  void note(int since, std::size_t at, std::string what) {
    if (since <= since_) return;
    since_ = since;
    at_ = at;
    what_ = std::move(what);
  }

  const Lines& lines_;
  std::vector<Block> blocks_;
  std::set<std::string_view> with_operator_;
  bool postponed_ = false, has_dataclass_ = false;
  int since_ = 0;
  std::size_t at_ = 0;
  std::string what_;
};

}  // namespace

std::optional<PythonSyntax> evaluated_syntax(const Lines& lines) { return EvaluatedScan(lines).found(); }

}  // namespace wheelcheck::python
