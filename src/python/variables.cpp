// os.environ["NAME"] = value, os.environ.setdefault("NAME", value), os.putenv("NAME", value). The skeleton of a file
// that is parsed for its imports has no such statement any more, so the text itself is searched, line by line.
#include "python/variables.h"

#include <array>
#include <optional>
#include <utility>

#include "base/text.h"

namespace wheelcheck::python {
namespace {

constexpr std::size_t most_variables = 100, most_shown = 200, longest_name = 100;

struct Line {
  std::string_view text;
  std::size_t indent = 0;
};

Line line_of(std::string_view text) {
  std::size_t indent = 0;
  while (indent < text.size() && (text[indent] == ' ' || text[indent] == '\t')) ++indent;
  return {text, indent};
}

// The literal at the start of `text`, which is moved behind it.
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

// The name that one line sets.
std::optional<std::string> set_in(const Line& line) {
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

// By the headers of the blocks around it: a function need not run, a condition need not be true.
Reach reach_of(const std::vector<Line>& before, std::size_t indent) {
  Reach reach = Reach::Certain;
  for (auto line = before.rbegin(); line != before.rend() && indent > 0; ++line) {
    const std::string_view code = line->text.substr(line->indent);
    if (code.empty() || code.front() == '#' || line->indent >= indent) continue;
    indent = line->indent;
    if (code.starts_with("def ") || code.starts_with("async def ") || code.starts_with("class "))
      return Reach::Possible;
    if (!code.starts_with("try")) reach = Reach::Likely;
  }
  return reach;
}

}  // namespace

std::vector<PythonVariable> variables_set(std::string_view source) {
  std::vector<PythonVariable> out;
  if (source.find("environ") == source.npos && source.find("putenv") == source.npos) return out;
  std::vector<Line> lines;
  for (const std::string_view text : split(source, '\n')) {
    const Line line = line_of(text);
    if (out.size() < most_variables)
      if (auto name = set_in(line))
        out.push_back({.name = std::move(*name),
                       .line = static_cast<std::uint32_t>(lines.size() + 1),
                       .reach = reach_of(lines, line.indent),
                       .text = std::string(trim(text).substr(0, most_shown))});
    lines.push_back(line);
  }
  return out;
}

}  // namespace wheelcheck::python
