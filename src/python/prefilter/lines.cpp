// Splits Python code into logical lines and functions.
#include "python/prefilter/lines.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "python/prefilter/prune.h"

namespace wheelcheck::python {
namespace {

// Fills the lines; returns false if the text cannot be split.
bool split_lines(std::string_view text, Lines& out) {
  std::size_t depth = 0, start = 0;
  std::optional<std::size_t> first;  // first token of the line
  bool in_text = false;              // a loading word occurs in a string that may be documentation
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const Token token = next_token(text, at);
    if (at == text.npos) return false;
    if (token == Token::Newline && depth == 0) {
      if (first) out.lines.push_back({*first, at, *first - start});
      first.reset();
      in_text = false;
      start = at;
      continue;
    }
    const std::string_view piece = text.substr(begin, at - begin);
    if (token == Token::Open) ++depth;
    if (token == Token::Close && depth > 0) --depth;
    const bool counts = token != Token::Blank && token != Token::Comment && token != Token::Newline;
    if (!counts) continue;
    out.may_load = out.may_load || in_text || (token == Token::Name && is_loading_word(piece));
    if (token == Token::String && !out.may_load && holds_loading_word(piece)) {
      // r"documentation", but not f"{call()}"
      if (begin <= first.value_or(begin) + 1 && std::string_view("fFtT").find(text[first.value_or(begin)]) == text.npos)
        in_text = true;
      else
        out.may_load = true;
    }
    if (!first) first = begin;
  }
  if (depth > 0) return false;
  if (first) out.lines.push_back({*first, text.size(), *first - start});
  return true;
}

std::vector<Function> find_functions(std::string_view whole, const std::vector<Line>& lines) {
  std::vector<Function> functions;
  // The classes that contain the line: indentation, name.
  std::vector<std::pair<std::size_t, std::string_view>> classes;
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

// The rest of a `def`, `raise` or `return` that is cut.
std::string bare(std::string_view line) {
  for (const char* word : {"raise", "return"})
    if (line.starts_with(word)) return word;
  return std::string(line.substr(0, line.find('('))) + "():";
}

}  // namespace

std::size_t token_count(std::string_view text) {
  std::size_t count = 0;
  unsigned after_name = 0;
  for (const char c : text) {  // without branches, because every text is counted
    const Token token = token_of(c);
    const unsigned is_name = token == Token::Name;
    count += static_cast<unsigned>(token != Token::Blank) & ~(is_name & after_name);
    after_name = is_name;
  }
  return count;
}

std::size_t string_end(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const auto is_three = [&](std::size_t i) {
    return i + 2 < text.size() && text[i + 1] == quote && text[i + 2] == quote;
  };
  if (is_three(at)) {
    const std::size_t start = at + 3;
    for (at = text.find(quote, start); at != text.npos; at = text.find(quote, at + 1)) {
      std::size_t escapes = 0;
      while (at - escapes > start && text[at - escapes - 1] == '\\') ++escapes;
      if (escapes % 2 == 0 && is_three(at)) return at + 3;
    }
    return text.npos;
  }
  for (std::size_t i = at + 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == quote || text[i] == '\n') {
      return text[i] == '\n' ? text.npos : i + 1;
    }
  }
  return text.npos;
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

std::string Lines::with(const std::vector<bool>& kept, std::span<const Cut> cuts) const {
  std::string out;
  out.reserve(text.size() / 2);
  const auto keep_number = [&](std::size_t begin, std::size_t end) {
    out.append(static_cast<std::size_t>(std::ranges::count(text.substr(begin, end - begin), '\n')), '\n');
  };
  std::size_t at = 0, indent_before = 0;
  auto function = functions.begin();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::size_t begin = lines[i].begin;
    keep_number(at, begin);
    at = lines[i].end;
    while (function != functions.end() && function->first <= i) ++function;
    const Cut cut = !cuts.empty() ? cuts[i] : is_text(lines[i]) ? Cut::Gone : Cut::None;
    const std::string_view indent = text.substr(begin - lines[i].indent, lines[i].indent);
    // The width of a tab depends on the column before it.
    const bool opens = indent.size() > indent_before || indent.find('\t') != indent.npos;
    if (cut != Cut::Gone || opens) {
      out += indent;
      indent_before = indent.size();
    }
    if (cut == Cut::None) {
      out += line(i);
    } else if (cut == Cut::Bare) {
      out += bare(line(i));
    } else if (opens) {
      out += '0';
    }
    if (cut != Cut::None) keep_number(begin, at);
    const bool defines = function != functions.end() && function->first == i + 1;
    if (!defines || kept[static_cast<std::size_t>(function - functions.begin())]) continue;
    const Line& body = lines[function->first];
    if (cut != Cut::Gone) {
      keep_number(at, body.begin);
      out += text.substr(body.begin - body.indent, body.indent);
      out += "pass";
      at = body.begin;
    }
    i = function->last - 1;
    keep_number(at, lines[i].end);
    at = lines[i].end;
  }
  return out;
}

std::optional<Lines> lines_of(std::string_view text) {
  Lines out{.text = text, .lines = {}, .functions = {}};
  if (!split_lines(text, out)) return std::nullopt;
  out.functions = find_functions(text, out.lines);
  return out;
}

}  // namespace wheelcheck::python
