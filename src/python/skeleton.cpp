#include "python/skeleton.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text.h"

namespace wheelcheck::python {
namespace {

enum class Token : std::uint8_t { Name, String, Comment, Open, Close, Newline, Joined, Blank, Other };

bool is_name_byte(char c) { return is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

// Python's lexical analysis, 2.4: behind the string that starts at `at`; npos where it does not end.
std::size_t string_end(std::string_view text, std::size_t at) {
  const std::string_view three = text.substr(at, 3);
  const bool is_long = three.size() == 3 && three[1] == three[0] && three[2] == three[0];
  for (std::size_t i = at + (is_long ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (is_long && text.substr(i, 3) == three) {
      return i + 3;
    } else if (!is_long && (text[i] == text[at] || text[i] == '\n')) {
      return text[i] == '\n' ? text.npos : i + 1;
    }
  }
  return text.npos;
}

// The token at `at`, which moves behind it. A string without an end sets `at` to npos.
Token next_token(std::string_view text, std::size_t& at) {
  const char c = text[at];
  if (is_name_byte(c)) {
    while (at < text.size() && is_name_byte(text[at])) ++at;
    return Token::Name;
  }
  if (c == '"' || c == '\'') {
    at = string_end(text, at);
    return Token::String;
  }
  if (c == '#') {
    at = std::min(text.find('\n', at), text.size());
    return Token::Comment;
  }
  if (c == '\\') {
    at += text.substr(at).starts_with("\\\r\n") ? 3 : 2;
    at = std::min(at, text.size());
    return Token::Joined;
  }
  ++at;
  if (c == '(' || c == '[' || c == '{') return Token::Open;
  if (c == ')' || c == ']' || c == '}') return Token::Close;
  if (c == '\n') return Token::Newline;
  return is_blank(c) ? Token::Blank : Token::Other;
}

struct Line {  // a logical one
  std::size_t begin = 0, end = 0;
  std::size_t indent = 0;
};

std::optional<std::vector<Line>> lines_of(std::string_view text) {
  std::vector<Line> lines;
  std::size_t depth = 0, start = 0;
  std::optional<std::size_t> first;  // token of the line
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const Token token = next_token(text, at);
    if (at == text.npos) return std::nullopt;
    if (token == Token::Newline && depth == 0) {
      if (first) lines.push_back({*first, at, *first - start});
      first.reset();
      start = at;
      continue;
    }
    if (token == Token::Open) ++depth;
    if (token == Token::Close && depth > 0) --depth;
    const bool counts = token != Token::Blank && token != Token::Comment && token != Token::Newline;
    if (counts && !first) first = begin;
  }
  if (depth > 0) return std::nullopt;
  if (first) lines.push_back({*first, text.size(), *first - start});
  return lines;
}

struct Function {
  std::string_view name;    // that calls it: for __init__ and its like that of the class
  std::size_t first, last;  // lines of its body
};

class Cutter {
 public:
  Cutter(std::string_view text, std::vector<Line> lines) : text_(text), lines_(std::move(lines)) {}

  std::string cut() {
    find_functions();
    for (std::uint32_t i = 0; i < functions_.size(); ++i) by_name_[functions_[i].name].push_back(i);
    kept_.assign(functions_.size(), false);
    std::size_t from = 0;
    for (std::uint32_t i = 0; i < functions_.size(); ++i) {
      mention(from, functions_[i].first);
      from = functions_[i].last;
      if (matters(body(functions_[i]))) keep(i);
    }
    mention(from, lines_.size());
    while (!open_.empty()) {
      const Function& function = functions_[open_.back()];
      open_.pop_back();
      mention(function.first, function.last);
    }
    return rest();
  }

 private:
  // Functions at module level and methods; what is inside them belongs to them.
  void find_functions() {
    std::vector<std::pair<std::size_t, std::string_view>> classes;  // around the line: indent, name
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      const Line& line = lines_[i];
      while (!classes.empty() && classes.back().first >= line.indent) classes.pop_back();
      std::string_view text = text_.substr(line.begin, line.end - line.begin);
      if (text.starts_with("async ")) text = trim(text.substr(6));
      const bool is_class = text.starts_with("class ");
      if (!is_class && !text.starts_with("def ")) continue;
      std::string_view name = trim(text.substr(is_class ? 6 : 4));
      name = name.substr(0, static_cast<std::size_t>(std::ranges::find_if_not(name, is_name_byte) - name.begin()));
      if (is_class) {
        classes.emplace_back(line.indent, name);
        continue;
      }
      std::size_t last = i + 1;
      while (last < lines_.size() && lines_[last].indent > line.indent) ++last;
      const bool special = name.starts_with("__") && name.ends_with("__");
      if (last > i + 1) functions_.push_back({special && !classes.empty() ? classes.back().second : name, i + 1, last});
      i = last - 1;
    }
  }

  std::string_view body(const Function& function) const {
    const std::size_t begin = lines_[function.first].begin;
    return text_.substr(begin, lines_[function.last - 1].end - begin);
  }
  static bool matters(std::string_view text) {
    return text.find("import") != text.npos || text.find("global") != text.npos;
  }

  void keep(std::uint32_t function) {
    if (kept_[function]) return;
    kept_[function] = true;
    open_.push_back(function);
  }

  // Nobody follows functions into the calls that they are handed to: `register(name)`.
  bool is_handed_over(std::size_t at) const {
    while (at < text_.size() && text_[at] == ' ') ++at;
    return at < text_.size() && (text_[at] == ',' || text_[at] == ')');
  }

  // Keeps the functions that are named in these lines, but for the name that a definition gives.
  void mention(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      bool defines = false;
      for (std::size_t at = lines_[i].begin; at < lines_[i].end;) {
        const std::size_t begin = at;
        if (next_token(text_, at) != Token::Name) continue;
        const std::string_view name = text_.substr(begin, at - begin);
        const auto found = defines ? by_name_.end() : by_name_.find(name);
        defines = name == "def" || name == "class";
        if (found == by_name_.end() || is_handed_over(at)) continue;
        for (const std::uint32_t function : found->second) keep(function);
        found->second.clear();
      }
    }
  }

  std::string rest() const {
    std::string out;
    out.reserve(text_.size() / 2);
    std::size_t at = 0;
    auto function = functions_.begin();
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      out.append(newlines(at, lines_[i].begin), '\n');
      out += text_.substr(lines_[i].begin - lines_[i].indent, lines_[i].indent);
      at = lines_[i].end;
      while (function != functions_.end() && function->first < i) ++function;
      if (function != functions_.end() && function->first == i &&
          !kept_[static_cast<std::size_t>(function - functions_.begin())]) {
        at = lines_[function->last - 1].end;
        out += "pass";
        out.append(newlines(lines_[i].begin, at), '\n');
        i = function->last - 1;
      } else if (is_text(lines_[i])) {
        out += "0";
        out.append(newlines(lines_[i].begin, at), '\n');
      } else {
        out += text_.substr(lines_[i].begin, at - lines_[i].begin);
      }
    }
    return out;
  }

  std::size_t newlines(std::size_t begin, std::size_t end) const {
    return static_cast<std::size_t>(std::ranges::count(text_.substr(begin, end - begin), '\n'));
  }

  // A statement that is a string: documentation.
  bool is_text(const Line& line) const {
    std::size_t at = line.begin;
    if (text_[at] == 'r' || text_[at] == 'R') ++at;
    if (at >= text_.size() || (text_[at] != '"' && text_[at] != '\'')) return false;
    at = string_end(text_, at);
    return at <= line.end && trim(text_.substr(at, line.end - at)).empty();
  }

  std::string_view text_;
  std::vector<Line> lines_;
  std::vector<Function> functions_;
  std::unordered_map<std::string_view, std::vector<std::uint32_t>> by_name_;
  std::vector<bool> kept_;
  std::vector<std::uint32_t> open_;  // kept, and still to be read for names
};

}  // namespace

std::string skeleton(std::string_view source) {
  auto lines = lines_of(source);
  return lines ? Cutter(source, std::move(*lines)).cut() : std::string(source);
}

}  // namespace wheelcheck::python
