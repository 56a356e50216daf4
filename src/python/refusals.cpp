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
  if (!source.contains("raise ")) return found;
  const std::vector<std::string_view> lines = split(source, '\n');
  for (std::size_t i = 0; i < lines.size() && found.size() < max_refusals; ++i) {
    if (!raises(trim(lines[i]))) continue;
    std::size_t first = i;
    const std::size_t end_of_search = i > max_before ? i - max_before : 0;
    while (first > end_of_search && (trim(lines[first]).empty() || indentation(lines[first]) >= indentation(lines[i])))
      --first;
    if (indentation(lines[first]) >= indentation(lines[i]) || !compares(trim(lines[first]))) continue;
    std::string text;
    for (std::size_t at = first; at < i; ++at) add_line(text, trim(lines[at]));
    std::ptrdiff_t open = 0;
    for (std::size_t at = i; at < std::min(lines.size(), i + max_statement); ++at) {
      add_line(text, trim(lines[at]));
      open += std::ranges::count(lines[at], '(') - std::ranges::count(lines[at], ')');
      if (open <= 0) break;
    }
    if (!lower(text).contains("version")) continue;
    found.push_back({.line = static_cast<std::uint32_t>(i + 1),
                     .condition = shortened(std::string(trim(lines[first])), condition_size),
                     .text = shortened(std::move(text), refusal_size)});
  }
  return found;
}

}  // namespace wheelcheck::python
