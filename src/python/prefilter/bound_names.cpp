#include "python/prefilter/bound_names.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <span>
#include <string_view>
#include <vector>

namespace wheelcheck::python {
namespace {

// With one of these a module may get names that its text does not show.
constexpr auto dynamic_words =
    std::to_array<std::string_view>({"__dict__", "__getattr__", "__import__", "eval", "exec", "execfile", "globals",
                                     "import_module", "lazy_loader", "locals", "modules", "setattr", "vars"});
// Statements whose names are all taken.
constexpr auto binding_words =
    std::to_array<std::string_view>({"async", "case", "elif", "else", "except", "finally", "for", "from", "global",
                                     "if", "import", "match", "try", "type", "while", "with"});

bool is_listed(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

constexpr std::size_t most_bound = 10'000;  // of a module; one with more may have any

class BoundScan {
 public:
  explicit BoundScan(const Lines& lines) : lines_(lines) {
    for (const Line& each : lines.lines) line(each);
  }
  std::string text() const {
    if (any_) return " * ";
    std::string result = " ";
    for (const std::string_view name : names_) result.append(name).append(" ");
    return result;
  }

 private:
  void line(const Line& line) {
    while (!blocks_.empty() && blocks_.back() >= line.indent) blocks_.pop_back();
    const bool inside = !blocks_.empty();  // of a function or a class
    std::string_view first, before;
    std::vector<std::string_view> waiting;  // names before the next `=`
    bool all = false, after_def = false;
    std::size_t depth = 0;
    for (std::size_t at = line.begin; at < line.end && !any_;) {
      const std::size_t begin = at;
      const Token token = next_token(lines_.text, at);
      if (at == lines_.text.npos) {
        any_ = true;
        return;
      }
      if (is_filler(token)) continue;
      const std::string_view text = lines_.text.substr(begin, at - begin);
      if (first.empty()) {
        first = text;
        all = is_listed(first, binding_words);
      }
      if (token == Token::Open) ++depth;
      if (token == Token::Close && depth > 0) --depth;
      if (token == Token::Name) {
        any_ = any_ || (is_listed(text, dynamic_words) && before != "def");
        any_ = any_ || (before == "def" && text == "__getattr__" && !inside);
        const bool defined = (before == "def" || before == "class") && !after_def;
        if (defined && !inside) names_.insert(text);
        if (defined) after_def = true;
        const bool may_be_bound = before != "." && (!inside || first == "global");
        if (may_be_bound && all) names_.insert(text);
        if (may_be_bound && !all) waiting.push_back(text);
      }
      if (first == "from" && text == "*" && before == "import" && !inside) any_ = true;
      if (text == ":" && lines_.text.substr(at).starts_with('=') && !waiting.empty()) names_.insert(waiting.back());
      if (text == "=" && depth == 0 && !after_def) {
        names_.insert(waiting.begin(), waiting.end());
        waiting.clear();
      }
      any_ = any_ || waiting.size() > most_bound || names_.size() > most_bound;
      before = text;
    }
    if ((after_def || first == "class") && before == ":" && !inside) blocks_.push_back(line.indent);
  }

  const Lines& lines_;
  std::vector<std::size_t> blocks_;  // indentation of the heads of functions and classes around the line
  std::set<std::string_view> names_;
  bool any_ = false;
};

}  // namespace

std::string bound_names(const Lines& lines) { return BoundScan(lines).text(); }

}  // namespace wheelcheck::python
