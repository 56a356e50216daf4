#include "model/c_names.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_c_names[];
extern const std::size_t embedded_c_names_count;

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

// "6-15"
CPythonReleases range_of(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size() - 1);
  std::uint64_t first = 0, last = 0;
  if (!parse_number(text.substr(0, dash), first) || !parse_number(text.substr(dash + 1), last)) return {};
  return {static_cast<unsigned>(first), static_cast<unsigned>(last)};
}

const Lines& cpython_lines() {
  static const Lines lines = lines_of("cpython.txt");
  return lines;
}

}  // namespace

CPythonReleases known_cpythons() {
  static const CPythonReleases releases = range_of(note_on(cpython_lines(), "#").value_or("0-0"));
  return releases;
}

bool CPythonName::in(unsigned minor) const {
  if (releases.empty()) return known;
  return std::ranges::any_of(split(releases, ','), [&](std::string_view text) {
    const CPythonReleases range = range_of(text);
    return range.oldest <= minor && minor <= range.newest;
  });
}

unsigned CPythonName::first() const {
  return releases.empty() ? known_cpythons().oldest : range_of(releases.substr(0, releases.find(','))).oldest;
}

CPythonName cpython_name(std::string_view symbol) {
  const std::optional<std::string_view> releases = note_on(cpython_lines(), symbol);
  return {releases.has_value(), releases.value_or("")};
}

std::optional<bool> glibc_has(std::string_view symbol, std::string_view version) {
  static const Lines lines = lines_of("glibc_versions.txt");
  constexpr std::string_view prefix = "GLIBC_2.", newest = "GLIBC_2.36";
  if (!version.starts_with(prefix) || natural_order(version, newest) > 0) return std::nullopt;
  const std::optional<std::string_view> versions = note_on(lines, symbol);
  if (!versions) return false;
  version.remove_prefix(std::string_view("GLIBC_").size());
  return std::ranges::any_of(split(*versions, ','), [&](std::string_view one) { return one == version; });
}

std::optional<bool> cxx_runtime_has(std::string_view symbol, std::string_view version) {
  static const Lines lines = lines_of("cxx_versions.txt");
  static const std::set<std::string_view> known = [] {
    std::set<std::string_view> versions;
    for (const auto& [name, list] : lines)
      for (const std::string_view one : split(list, ',')) versions.insert(one);
    return versions;
  }();
  constexpr std::pair<std::string_view, char> families[] = {{"GLIBCXX_", 'X'}, {"CXXABI_", 'A'}, {"GCC_", 'G'}};
  const auto* const family =
      std::ranges::find_if(families, [&](const auto& one) { return version.starts_with(one.first); });
  if (family == std::end(families)) return std::nullopt;
  const std::string sought = family->second + std::string(version.substr(family->first.size()));
  if (!known.contains(sought)) return std::nullopt;
  const std::vector<std::string_view> versions = split(note_on(lines, symbol).value_or(""), ',');
  return std::ranges::find(versions, sought) != versions.end();
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

}  // namespace wheelcheck
