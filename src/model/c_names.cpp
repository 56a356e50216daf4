#include "model/c_names.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_c_names[];
extern const std::size_t embedded_c_names_count;

namespace {

std::string_view text_of(std::string_view file) {
  for (std::size_t i = 0; i < embedded_c_names_count; ++i)
    if (embedded_c_names[i].name == file) return embedded_c_names[i].text;
  return {};
}

// What the table says of a name; "" where that is nothing, nullopt where it does not have the name. Its lines are
// sorted by the names with which they begin.
std::optional<std::string_view> note_on(std::string_view table, std::string_view symbol) {
  if (symbol.empty()) return std::nullopt;
  while (!table.empty()) {
    const std::size_t begin = table.rfind('\n', table.size() / 2) + 1;
    const std::size_t end = std::min(table.find('\n', begin), table.size());
    const std::string_view line = table.substr(begin, end - begin);
    const std::size_t space = std::min(line.find(' '), line.size());
    const int order = line.substr(0, space).compare(symbol);
    if (order == 0) return line.substr(std::min(space + 1, line.size()));
    table = order < 0 ? table.substr(std::min(end + 1, table.size())) : table.substr(0, begin);
  }
  return std::nullopt;
}

// "6-15"
CPythonReleases range_of(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size() - 1);
  std::uint64_t first = 0, last = 0;
  if (!parse_number(text.substr(0, dash), first) || !parse_number(text.substr(dash + 1), last)) return {};
  return {static_cast<unsigned>(first), static_cast<unsigned>(last)};
}

std::string_view cpython_table() {
  static const std::string_view table = text_of("cpython.txt");
  return table;
}

std::string_view cxx_table() {
  static const std::string_view table = text_of("cxx_versions.txt");
  return table;
}

// The versions of a name of glibc, and marks.
std::optional<std::string_view> glibc_note(std::string_view symbol) {
  static const std::string_view table = text_of("glibc_versions.txt");
  return note_on(table, symbol);
}

}  // namespace

CPythonReleases known_cpythons() {
  static const CPythonReleases releases = range_of(note_on(cpython_table(), "#").value_or("0-0"));
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
  const std::optional<std::string_view> releases = note_on(cpython_table(), symbol);
  return {releases.has_value(), releases.value_or("")};
}

std::optional<bool> glibc_has(std::string_view symbol, std::string_view version) {
  constexpr std::string_view prefix = "GLIBC_2.", newest = "GLIBC_2.36";
  if (!version.starts_with(prefix) || natural_order(version, newest) > 0) return std::nullopt;
  const std::optional<std::string_view> versions = glibc_note(symbol);
  if (!versions) return false;
  version.remove_prefix(std::string_view("GLIBC_").size());
  return std::ranges::any_of(split(*versions, ','), [&](std::string_view one) { return one == version; });
}

bool only_libm_has(std::string_view symbol) { return glibc_note(symbol).value_or("").ends_with(",libm"); }

bool is_of_librt(std::string_view symbol) {
  constexpr std::string_view families[] = {"timer_", "aio_", "lio_", "mq_", "shm_"};
  return std::ranges::any_of(families, [&](std::string_view family) { return symbol.starts_with(family); }) &&
         c_name(Libc::Glibc, symbol).has_value();
}

bool is_of_cxx_runtime(std::string_view symbol) { return note_on(cxx_table(), symbol).has_value(); }

std::optional<bool> cxx_runtime_has(std::string_view symbol, std::string_view version) {
  constexpr std::pair<std::string_view, char> families[] = {{"GLIBCXX_", 'X'}, {"CXXABI_", 'A'}, {"GCC_", 'G'}};
  const auto* const family =
      std::ranges::find_if(families, [&](const auto& one) { return version.starts_with(one.first); });
  if (family == std::end(families)) return std::nullopt;
  const std::string sought = family->second + std::string(version.substr(family->first.size()));
  const auto names = [&](std::string_view line) {
    return std::ranges::any_of(split(note_on(cxx_table(), line).value_or(""), ','),
                               [&](std::string_view one) { return one == sought; });
  };
  if (!names("#")) return std::nullopt;  // the versions that the table knows
  return names(symbol);
}

std::optional<CName> c_name(Libc libc, std::string_view symbol) {
  static const std::string_view glibc = text_of("glibc.txt"), musl = text_of("musl.txt");
  const std::optional<std::string_view> note = note_on(libc == Libc::Musl ? musl : glibc, symbol);
  if (!note) return std::nullopt;
  std::string_view rest = *note;
  if (rest.empty()) return CName{};
  constexpr std::string_view dropped = "dropped ";
  if (rest.starts_with(dropped)) return CName{.since = {}, .dropped_in = rest.substr(dropped.size())};
  return CName{.since = rest, .dropped_in = {}};
}

}  // namespace wheelcheck
