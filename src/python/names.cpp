// Searches the text of Python code for names of libraries and for environment variables that it sets.
#include "python/names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "base/byte_scan.h"
#include "base/text.h"

namespace wheelcheck::python {

namespace {

constexpr std::size_t max_names = 4096;
constexpr std::size_t longest = 256;  // bytes

bool names_library(std::string_view text) {
  if (text.size() > longest) return false;
  if (std::ranges::any_of(text, [](char c) { return c <= ' ' || c >= 0x7F; })) return false;
  for (std::size_t at = text.find(".so"); at != text.npos; at = text.find(".so", at + 1)) {
    const std::string_view rest = text.substr(at + 3);
    if (rest.empty() || rest.front() == '.' || rest.front() == '%' || rest.front() == '*' || rest.front() == '{')
      return true;
  }
  return false;
}

// A fast test: ".so" occurs before a character that names_library accepts after it, or before a quote.
bool may_name_libraries(std::string_view source) {
  constexpr std::string_view before_end = "\"'.%*{";
  const auto test = [](const auto& c, const auto& d, auto& marks) { marks = (c == '.') & (d == 's'); };
  return any_pair(source, 0, source.size(), test, [&](std::size_t at) {
    return at + 3 < source.size() && source[at + 2] == 'o' && before_end.find(source[at + 3]) != before_end.npos;
  });
}

// Replaces the formatted parts of an f-string by `*` (Python's lexical analysis, 2.4); doubled braces are braces.
std::string filled(std::string_view body) {
  std::string result;
  std::size_t depth = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    const char c = body[i];
    const bool doubled = i + 1 < body.size() && body[i + 1] == c;
    if (depth == 0 && (c == '{' || c == '}') && doubled) {
      result += c;
      ++i;
    } else if (c == '{') {
      if (depth++ == 0) result += '*';
    } else if (c == '}') {
      if (depth > 0) --depth;
    } else if (depth == 0) {
      result += c;
    }
  }
  return result;
}

class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  std::vector<PythonName> scan() {
    static constexpr auto is_mark = [] {
      std::array<bool, 256> marks{};
      for (const unsigned char mark : {'#', '"', '\'', '\n'}) marks[mark] = true;
      return marks;
    }();
    while (result_.size() < max_names) {
      while (at_ < source_.size() && !is_mark[static_cast<unsigned char>(source_[at_])]) ++at_;
      if (at_ >= source_.size()) break;
      const char c = source_[at_];
      if (c == '#') {
        at_ = std::min(source_.find('\n', at_), source_.size());
      } else if (c == '\n') {
        ++line_;
        ++at_;
      } else {
        literal(c);
      }
    }
    return std::move(result_);
  }

 private:
  // The string prefix before the quote: r, b, u, f and t in any case, at most two letters.
  bool is_formatted() const {
    std::size_t start = at_;
    while (start > 0 && (is_alnum(source_[start - 1]) || source_[start - 1] == '_')) --start;
    const std::string prefix = lower(source_.substr(start, at_ - start));
    return prefix == "f" || prefix == "fr" || prefix == "rf";
  }

  void literal(char quote) {
    const bool formatted = is_formatted();
    const std::string_view triple = quote == '"' ? "\"\"\"" : "'''";
    const bool is_triple = source_.substr(at_, 3) == triple;
    const std::size_t start = at_ + (is_triple ? 3 : 1);
    const std::uint32_t line = line_;
    std::size_t end = start;
    while (end < source_.size()) {
      const char c = source_[end];
      if (is_triple ? source_.substr(end, 3) == triple : c == quote) break;
      if (c == '\n') {
        if (!is_triple) break;  // the literal is not terminated; continue in the next line
        ++line_;
      }
      if (c == '\\' && end + 1 < source_.size()) line_ += source_[++end] == '\n';
      ++end;
    }
    end = std::min(end, source_.size());
    take(source_.substr(start, end - start), formatted, line);
    at_ = end;
    if (at_ < source_.size() && source_[at_] != '\n') at_ += is_triple ? 3 : 1;
  }

  void take(std::string_view body, bool formatted, std::uint32_t line) {
    if (body.size() > 4 * longest) return;  // documentation; a formatted name is rarely longer
    std::string text = formatted ? filled(body) : std::string(body);
    if (names_library(text)) result_.push_back({std::move(text), line});
  }

  std::string_view source_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 1;
  std::vector<PythonName> result_;
};

}  // namespace

std::vector<PythonName> library_names(std::string_view source) {
  if (!may_name_libraries(source)) return {};
  return Scanner(source).scan();
}

// --- environment variables ----------------------------------------------------------------------------------------

// os.environ["NAME"] = value, os.environ.setdefault("NAME", value), os.putenv("NAME", value). The prefilter removes
// such statements from a file that is parsed for its imports, so the text is searched line by line.

namespace {

constexpr std::size_t max_variables = 100, longest_line = 200, longest_name = 100;

struct CodeLine {
  std::string_view text;
  std::size_t indent = 0;
};

CodeLine line_of(std::string_view text) {
  std::size_t indent = 0;
  while (indent < text.size() && (text[indent] == ' ' || text[indent] == '\t')) ++indent;
  return {text, indent};
}

// Reads the literal at the start of `text` and removes it from `text`.
std::optional<std::string> literal(std::string_view& text) {
  text = trim(text);
  if (text.empty() || (text.front() != '"' && text.front() != '\'')) return std::nullopt;
  const std::size_t end = text.find(text.front(), 1);
  if (end == text.npos || end == 1 || end > longest_name) return std::nullopt;
  const std::string name(text.substr(1, end - 1));
  for (const char c : name)
    if (!is_alnum(c) && c != '_') return std::nullopt;
  text = trim(text.substr(end + 1));
  return name;
}

// The name of the variable that a line sets.
std::optional<std::string> set_in(const CodeLine& line) {
  const std::string_view code = line.text.substr(line.indent);
  if (code.empty() || code.front() == '#') return std::nullopt;
  for (const std::string_view call : {"environ.setdefault(", "putenv("})
    if (const std::size_t at = code.find(call); at != code.npos) {
      std::string_view rest = code.substr(at + call.size());
      return literal(rest);
    }
  constexpr std::string_view item = "environ[";
  const std::size_t at = code.find(item);
  if (at == code.npos) return std::nullopt;
  std::string_view rest = code.substr(at + item.size());
  auto name = literal(rest);
  if (!name || !rest.starts_with(']')) return std::nullopt;
  rest = trim(rest.substr(1));
  const bool assigned = rest.starts_with("+=") || (rest.starts_with('=') && !rest.starts_with("=="));
  return assigned ? std::move(name) : std::nullopt;
}

// Determined by the blocks that contain the line: a function may not run, a condition may be false.
// A condition that is false on Linux: `if platform == "win32":`, `elif os.name == 'nt':`.
bool is_for_another_system(std::string_view code) {
  constexpr std::string_view others[] = {"win32", "nt", "Windows", "darwin", "Darwin", "cygwin"};
  if ((!code.starts_with("if ") && !code.starts_with("elif ")) || code.find("inux") != code.npos) return false;
  const std::size_t equals = code.find("==");
  if (equals == code.npos || code.find(" or ") != code.npos || code.find("not ") != code.npos) return false;
  const std::string_view value = trim(code.substr(equals + 2, code.find(':', equals) - equals - 2));
  return std::ranges::any_of(others, [&](std::string_view other) {
    return value.size() == other.size() + 2 && value.substr(1, other.size()) == other;
  });
}

Reach reach_of(const std::vector<CodeLine>& before, std::size_t indent) {
  Reach reach = Reach::Certain;
  for (auto line = before.rbegin(); line != before.rend() && indent > 0; ++line) {
    const std::string_view code = line->text.substr(line->indent);
    if (code.empty() || code.front() == '#' || line->indent >= indent) continue;
    indent = line->indent;
    if (code.starts_with("def ") || code.starts_with("async def ") || code.starts_with("class "))
      return Reach::Possible;
    if (is_for_another_system(code)) return Reach::Possible;
    if (!code.starts_with("try")) reach = Reach::Likely;
  }
  return reach;
}

}  // namespace

std::vector<PythonVariable> variables_set(std::string_view source) {
  std::vector<PythonVariable> out;
  if (source.find("environ") == source.npos && source.find("putenv") == source.npos) return out;
  std::vector<CodeLine> lines;
  for (const std::string_view text : split(source, '\n')) {
    const CodeLine line = line_of(text);
    if (out.size() < max_variables)
      if (auto name = set_in(line))
        out.push_back({.name = std::move(*name),
                       .line = static_cast<std::uint32_t>(lines.size() + 1),
                       .reach = reach_of(lines, line.indent),
                       .text = std::string(trim(text).substr(0, longest_line))});
    lines.push_back(line);
  }
  return out;
}

}  // namespace wheelcheck::python
