#include "rules/symbols/c_names.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_c_names[];
extern const std::size_t embedded_c_names_count;

namespace rules {
namespace {

// A name, and what the table says of it; "" where that is nothing.
using Line = std::pair<std::string_view, std::string_view>;
using Lines = std::vector<Line>;

// By name: the files are sorted.
Lines lines_of(std::string_view file) {
  Lines lines;
  for (std::size_t i = 0; i < embedded_c_names_count; ++i) {
    if (embedded_c_names[i].name != file) continue;
    for (const std::string_view line : split(embedded_c_names[i].text, '\n')) {
      if (line.empty()) continue;
      const std::size_t space = line.find(' ');
      lines.emplace_back(line.substr(0, space), space == line.npos ? std::string_view() : line.substr(space + 1));
    }
  }
  return lines;
}

// nullopt where the table does not have the name.
std::optional<std::string_view> note_on(const Lines& lines, std::string_view symbol) {
  const auto at = std::ranges::lower_bound(lines, symbol, {}, &Line::first);
  if (symbol.empty() || at == lines.end() || at->first != symbol) return std::nullopt;
  return at->second;
}

}  // namespace

bool CPythonName::in(unsigned minor) const {
  if (releases.empty()) return known;
  return std::ranges::any_of(split(releases, ','), [&](std::string_view range) {
    const std::size_t dash = range.find('-');
    std::uint64_t first = 0, last = 0;
    return dash != range.npos && parse_number(range.substr(0, dash), first) &&
           parse_number(range.substr(dash + 1), last) && first <= minor && minor <= last;
  });
}

CPythonName cpython_name(std::string_view symbol) {
  static const Lines cpython = lines_of("cpython.txt");
  const std::optional<std::string_view> releases = note_on(cpython, symbol);
  return {releases.has_value(), releases.value_or("")};
}

std::optional<CName> c_name(Libc libc, std::string_view symbol) {
  static const Lines glibc = lines_of("glibc.txt"), musl = lines_of("musl.txt");
  const std::optional<std::string_view> note = note_on(libc == Libc::Musl ? musl : glibc, symbol);
  if (!note) return std::nullopt;
  std::string_view rest = *note;
  if (rest.empty()) return CName{};
  constexpr std::string_view dropped = "dropped ";
  if (rest.starts_with(dropped)) return CName{.since = {}, .dropped_in = rest.substr(dropped.size())};
  return CName{.since = rest, .dropped_in = {}};
}

}  // namespace rules
}  // namespace wheelcheck
