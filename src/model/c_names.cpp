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

// One of the embedded tables. Its lines are sorted by the names with which they begin; a space and a note may follow.
class Table {
 public:
  explicit Table(std::string_view file) {
    const auto* const end = embedded_c_names + embedded_c_names_count;
    const auto* const found = std::find_if(embedded_c_names, end, [&](const auto& one) { return one.name == file; });
    if (found != end) lines_ = split(found->text, '\n');
    std::erase(lines_, "");  // behind the last line
  }

  // What it says of a name; "" where that is nothing, nullopt where it does not have the name.
  std::optional<std::string_view> note_on(std::string_view symbol) const {
    if (symbol.empty()) return std::nullopt;
    const auto line = std::ranges::lower_bound(lines_, symbol, {}, name_of);
    if (line == lines_.end() || name_of(*line) != symbol) return std::nullopt;
    return line->substr(std::min(symbol.size() + 1, line->size()));
  }

 private:
  static std::string_view name_of(std::string_view line) { return line.substr(0, line.find(' ')); }

  std::vector<std::string_view> lines_;
};

// "6-15"
CPythonReleases range_of(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size() - 1);
  std::uint64_t first = 0, last = 0;
  if (!parse_number(text.substr(0, dash), first) || !parse_number(text.substr(dash + 1), last)) return {};
  return {static_cast<unsigned>(first), static_cast<unsigned>(last)};
}

const Table& cpython_table() {
  static const Table table("cpython.txt");
  return table;
}

const Table& cxx_table() {
  static const Table table("cxx_versions.txt");
  return table;
}

// The versions of a name of glibc, and marks.
std::optional<std::string_view> glibc_note(std::string_view symbol) {
  static const Table table("glibc_versions.txt");
  return table.note_on(symbol);
}

}  // namespace

CPythonReleases known_cpythons() {
  static const CPythonReleases releases = range_of(cpython_table().note_on("#").value_or("0-0"));
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
  const std::optional<std::string_view> releases = cpython_table().note_on(symbol);
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

bool is_of_cxx_runtime(std::string_view symbol) { return cxx_table().note_on(symbol).has_value(); }

std::optional<bool> cxx_runtime_has(std::string_view symbol, std::string_view version) {
  constexpr std::pair<std::string_view, char> families[] = {{"GLIBCXX_", 'X'}, {"CXXABI_", 'A'}, {"GCC_", 'G'}};
  const auto* const family =
      std::ranges::find_if(families, [&](const auto& one) { return version.starts_with(one.first); });
  if (family == std::end(families)) return std::nullopt;
  const std::string sought = family->second + std::string(version.substr(family->first.size()));
  const auto names = [&](std::string_view line) {
    return std::ranges::any_of(split(cxx_table().note_on(line).value_or(""), ','),
                               [&](std::string_view one) { return one == sought; });
  };
  if (!names("#")) return std::nullopt;  // the versions that the table knows
  return names(symbol);
}

std::optional<CName> c_name(Libc libc, std::string_view symbol) {
  static const Table glibc("glibc.txt"), musl("musl.txt");
  const std::optional<std::string_view> note = (libc == Libc::Musl ? musl : glibc).note_on(symbol);
  if (!note) return std::nullopt;
  std::string_view rest = *note;
  if (rest.empty()) return CName{};
  constexpr std::string_view dropped = "dropped ";
  if (rest.starts_with(dropped)) return CName{.since = {}, .dropped_in = rest.substr(dropped.size())};
  return CName{.since = rest, .dropped_in = {}};
}

}  // namespace wheelcheck
