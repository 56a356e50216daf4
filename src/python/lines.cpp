#include "python/lines.h"

#include <algorithm>
#include <utility>

#include "base/text.h"

namespace wheelcheck::python {
namespace {

bool is_name_byte(char c) { return is_alnum(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; }

// Python's lexical analysis, 2.4: behind the string that starts at `at`; npos where it does not end.
std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const auto is_three = [&](std::size_t i) {
    return i + 2 < text.size() && text[i] == quote && text[i + 1] == quote && text[i + 2] == quote;
  };
  const bool is_long = is_three(at);
  for (std::size_t i = at + (is_long ? 3 : 1); i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (is_long && is_three(i)) {
      return i + 3;
    } else if (!is_long && (text[i] == quote || text[i] == '\n')) {
      return text[i] == '\n' ? text.npos : i + 1;
    }
  }
  return text.npos;
}

std::optional<std::vector<Line>> split_lines(std::string_view text) {
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

std::vector<Function> find_functions(std::string_view whole, const std::vector<Line>& lines) {
  std::vector<Function> functions;
  std::vector<std::pair<std::size_t, std::string_view>> classes;  // around the line: indent, name
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const Line& line = lines[i];
    while (!classes.empty() && classes.back().first >= line.indent) classes.pop_back();
    std::string_view text = whole.substr(line.begin, line.end - line.begin);
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
    while (last < lines.size() && lines[last].indent > line.indent) ++last;
    const bool special = name.starts_with("__") && name.ends_with("__");
    if (last > i + 1) functions.push_back({special && !classes.empty() ? classes.back().second : name, i + 1, last});
    i = last - 1;
  }
  return functions;
}

}  // namespace

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

std::string_view Lines::line(std::size_t index) const {
  return text.substr(lines[index].begin, lines[index].end - lines[index].begin);
}

bool Lines::is_text(const Line& line) const {
  std::size_t at = line.begin;
  if (text[at] == 'r' || text[at] == 'R') ++at;
  if (at >= text.size() || (text[at] != '"' && text[at] != '\'')) return false;
  at = string_end(text, at);
  return at <= line.end && trim(text.substr(at, line.end - at)).empty();
}

std::string Lines::with(const std::vector<bool>& kept) const {
  const auto newlines = [this](std::size_t begin, std::size_t end) {
    return static_cast<std::size_t>(std::ranges::count(text.substr(begin, end - begin), '\n'));
  };
  std::string out;
  out.reserve(text.size() / 2);
  std::size_t at = 0;
  auto function = functions.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    out.append(newlines(at, lines[i].begin), '\n');
    out += text.substr(lines[i].begin - lines[i].indent, lines[i].indent);
    at = lines[i].end;
    while (function != functions.end() && function->first < i) ++function;
    if (function != functions.end() && function->first == i &&
        !kept[static_cast<std::size_t>(function - functions.begin())]) {
      at = lines[function->last - 1].end;
      out += "pass";
      out.append(newlines(lines[i].begin, at), '\n');
      i = function->last - 1;
    } else if (is_text(lines[i])) {
      out += "0";
      out.append(newlines(lines[i].begin, at), '\n');
    } else {
      out += line(i);
    }
  }
  return out;
}

std::optional<Lines> lines_of(std::string_view text) {
  auto lines = split_lines(text);
  if (!lines) return std::nullopt;
  Lines out{.text = text, .lines = std::move(*lines), .functions = {}};
  out.functions = find_functions(text, out.lines);
  return out;
}

}  // namespace wheelcheck::python
