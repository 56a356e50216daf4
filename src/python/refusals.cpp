// Python code that refuses a release of what it imports, found by its indentation without a parser: the comparison and
// the statement are a few lines apart in every package that has such a check (numba, jax, pandas).
#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "python/names.h"

namespace wheelcheck::python {
namespace {

constexpr std::size_t max_refusals = 64, condition_size = 200, refusal_size = 600;
// Lines between the comparison and `raise`, which usually contain the message, and lines of the statement itself.
constexpr std::size_t max_before = 12, max_statement = 8;
// Lines of a list of names, between it and the loop over it, and from there to the call.
constexpr std::size_t max_list = 30, max_to_list = 40;

std::size_t indentation(std::string_view line) { return std::min(line.size(), line.find_first_not_of(" \t")); }

bool raises(std::string_view line) {
  constexpr std::string_view start = "raise ";
  // ValueError and NotImplementedError are about what a function was given.
  constexpr std::array<std::string_view, 4> types = {"ImportError", "RuntimeError", "SystemError", "Exception"};
  return line.starts_with(start) &&
         std::ranges::any_of(types, [&](std::string_view type) { return line.substr(start.size()).starts_with(type); });
}

bool compares(std::string_view line) {
  if (!line.starts_with("if ") && !line.starts_with("elif ")) return false;
  return line.find_first_of("<>") != line.npos || line.contains("!=") || line.contains(" not in ");
}

void add_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += ' ';
  text += line;
}

// Adds the lines of the statement that begins at a line, `max` at most.
void add_statement(std::string& text, const std::vector<std::string_view>& lines, std::size_t first,
                   std::size_t max = max_statement) {
  const auto count = [](std::string_view line, std::string_view brackets) {
    return std::ranges::count_if(line, [&](char c) { return brackets.contains(c); });
  };
  std::ptrdiff_t open = 0;
  for (std::size_t at = first; at < std::min(lines.size(), first + max); ++at) {
    add_line(text, trim(lines[at]));
    open += count(lines[at], "([{") - count(lines[at], ")]}");
    if (open <= 0) break;
  }
}

// A call of a function that raises ImportError unless a requirement is met, as transformers names it.
bool requires_release(std::string_view line) {
  const std::string_view function = line.substr(0, line.find('('));
  return function.size() < line.size() && function.contains("require_version") && !function.contains(' ');
}

// What such a call requires: its literals, or those of the list that a loop around it goes through:
// `for pkg in pkgs: require_version_core(deps[pkg])`. "" if there are none.
std::string required_at(const std::vector<std::string_view>& lines, std::size_t call) {
  std::string text;
  add_statement(text, lines, call);
  if (text.find_first_of("'\"") != text.npos) return text;
  std::string_view line;
  std::size_t loop = call, inside = indentation(lines[call]);
  while (!line.starts_with("for ")) {  // from block to block
    if (loop == 0 || call - loop == max_to_list || line.starts_with("def ")) return "";
    const std::string_view before = lines[--loop];
    if (trim(before).empty() || indentation(before) >= inside) continue;
    inside = indentation(before);
    line = trim(before);
  }
  if (!line.contains(" in ")) return "";
  const std::string_view list = trim(line.substr(line.find(" in ") + 4, line.rfind(':') - line.find(" in ") - 4));
  for (std::size_t at = loop; !list.empty() && at-- > 0 && loop - at <= max_to_list;) {
    const std::string_view before = trim(lines[at]);
    if (!before.starts_with(list) || !trim(before.substr(list.size())).starts_with('=')) continue;
    text.clear();
    add_statement(text, lines, at, max_list);
    return text;
  }
  return "";
}

// The end of a UTF-8 sequence, so that none is cut.
std::string shortened(std::string text, std::size_t max) {
  if (text.size() <= max) return text;
  while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xC0U) == 0x80U) --max;
  text.resize(max);
  return text;
}

}  // namespace

std::vector<PythonRefusal> refusals_in(std::string_view source) {
  std::vector<PythonRefusal> found;
  if (!source.contains("raise ") && !source.contains("require_version")) return found;
  const std::vector<std::string_view> lines = split(source, '\n');
  const auto add = [&](std::size_t line, std::string_view condition, std::string text) {
    found.push_back({.line = static_cast<std::uint32_t>(line + 1),
                     .condition = shortened(std::string(trim(condition)), condition_size),
                     .text = shortened(std::move(text), refusal_size)});
  };
  for (std::size_t i = 0; i < lines.size() && found.size() < max_refusals; ++i) {
    if (requires_release(trim(lines[i])))
      if (std::string text = required_at(lines, i); !text.empty()) add(i, lines[i], std::move(text));
    if (!raises(trim(lines[i]))) continue;
    std::size_t first = i;
    const std::size_t end_of_search = i > max_before ? i - max_before : 0;
    while (first > end_of_search && (trim(lines[first]).empty() || indentation(lines[first]) >= indentation(lines[i])))
      --first;
    if (indentation(lines[first]) >= indentation(lines[i]) || !compares(trim(lines[first]))) continue;
    std::string text;
    for (std::size_t at = first; at < i; ++at) add_line(text, trim(lines[at]));
    add_statement(text, lines, i);
    if (lower(text).contains("version")) add(i, lines[first], std::move(text));
  }
  return found;
}

}  // namespace wheelcheck::python
