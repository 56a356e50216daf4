// The answers of the smaller commands (why, tree, symbols, runs-on, interfaces, policy, diff) as plain data.
//
// A command builds an Answer and knows no format. A format is a file of src/report/formats that writes any Answer, so
// it is written once for all commands. An answer has two forms, because people and programs want different things of
// it. The document is for people: lines, tables and trees of styled text, in the words and with the cuts of a terminal
// ("and 7 more"). The JSON is for programs: all of it, by the published schema. Only the form that is asked for is
// built.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "report/shared/text.h"

namespace wheelcheck::report {

enum class Style : std::uint8_t {
  Plain,
  Name,  // of a file, a symbol, a tag: not marked on a terminal, code in Markdown
  Strong,
  Dim,
  Good,
  Doubtful,
  Bad,
  Term,  // what the rest of the line is about
};
struct Span {
  std::string text;  // safe to print (base/text.h, escape)
  Style style = Style::Plain;
  auto operator<=>(const Span&) const = default;
};

class StyledText {
 public:
  StyledText() = default;
  StyledText(std::string text, Style style = Style::Plain) {
    if (!text.empty()) spans_.push_back({std::move(text), style});
  }
  StyledText(std::string_view text, Style style = Style::Plain) : StyledText(std::string(text), style) {}
  StyledText(const char* text, Style style = Style::Plain) : StyledText(std::string(text), style) {}
  StyledText& operator+=(const StyledText& more);
  friend StyledText operator+(StyledText a, const StyledText& b) { return std::move(a += b); }
  std::span<const Span> spans() const { return spans_; }
  bool empty() const { return spans_.empty(); }
  std::string plain() const;
  std::size_t width() const;  // in columns
  auto operator<=>(const StyledText&) const = default;

 private:
  std::vector<Span> spans_;  // none is empty
};
StyledText joined(std::span<const StyledText> texts, std::string_view between);
// As first_few of names.
StyledText first_few(std::span<const StyledText> names, std::size_t shown, std::size_t width = std::string::npos);
// As fmt::format, with {} only: the pattern with each {} replaced by the next text.
StyledText filled(std::string_view pattern, std::span<const StyledText> texts);
template <class T>
StyledText as_styled(const T& value) {
  if constexpr (std::is_integral_v<T>)
    return std::to_string(value);
  else
    return value;
}
template <class... T>
StyledText styled(std::string_view pattern, const T&... values) {
  const StyledText all[] = {as_styled(values)...};
  return filled(pattern, all);
}

struct TextLine {
  enum class Level : std::uint8_t {
    Text,  // an item, if it begins with blanks
    Title,
    Section,
    Outcome,  // the last line, which agrees with the exit code
  };
  StyledText lead = {};  // is never broken
  StyledText body = {};  // is broken at blanks where the line is too long,
  std::size_t hang = 0;  // columns before its further lines
  Level level = Level::Text;
};
// Lines that are made when they are written, because there may be half a million.
struct TextLines {
  std::size_t count = 0;
  std::function<TextLine(std::size_t)> line;
};
struct TextTable {
  enum class LastCell : std::uint8_t {
    Wrapped,      // within its column
    Whole,        // never broken
    BelowLong,    // within its column; on the next line where the cell before it is longer than its column may be
    BelowNarrow,  // on a line of its own, in column 6, where the row is longer than the line
  };
  struct Column {
    std::string title = {};
    bool right = false;
    std::size_t min_width = 0, max_width = std::string::npos;  // a longer cell moves the rest of its row
  };
  std::size_t indent = 2;
  std::vector<Column> columns;
  std::vector<std::vector<StyledText>> rows = {};
  LastCell last = LastCell::Wrapped;
  std::size_t last_gap = 2;  // blanks before the last cell
};
struct TreeNode {
  StyledText label;
  std::vector<TreeNode> children = {};
};
struct TextTree {
  std::vector<TreeNode> roots;
};
using Block = std::variant<TextLine, TextLines, TextTable, TextTree>;

class Document {
 public:
  void line(StyledText lead, StyledText body = {}, std::size_t hang = 0);
  void blank() { line({}); }
  void title(StyledText text);
  void section(StyledText text);  // after a blank line
  void outcome(StyledText text);  // after a blank line
  // "and 7 more files" below a list that is cut, nothing if it is not.
  void and_more(std::string_view indent, std::size_t left, std::string_view what = "");
  void add(Block block) { blocks_.push_back(std::move(block)); }
  std::span<const Block> blocks() const { return blocks_; }
  bool empty() const { return blocks_.empty(); }

 private:
  std::vector<Block> blocks_;
};

struct Answer {
  std::function<Document()> document;
  std::function<std::string()> json;        // a whole document, with its schema
  bool fails = false;                       // the answer is bad news: exit code 1
  std::function<std::string()> graph = {};  // DOT; of `tree` only
  std::function<std::string()> sarif = {};  // of `release` only
};

}  // namespace wheelcheck::report

namespace wheelcheck {

// A format of these commands. Each is a file of src/report/formats that defines one `const AnswerFormat`; the build
// generates the list.
struct AnswerFormat {
  std::string_view name;
  std::string (*render)(const report::Answer& answer, const report::Paint& paint);
  bool of_every_command = true;  // false: only of those that name it
};
// text first, then by name; those that not every command has are left out unless `more` names them.
std::vector<std::string> answer_formats(std::span<const std::string_view> more = {});
// The answer in a format of that list.
std::string render_answer(std::string_view format, const report::Answer& answer, const report::Paint& paint);

}  // namespace wheelcheck
