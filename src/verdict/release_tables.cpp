#include "verdict/release_tables.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_releases[];
extern const std::size_t embedded_releases_count;

namespace verdict {
namespace {

// The last word of a line is what the table gives for the words before it.
using Rows = std::vector<std::pair<std::string_view, std::string_view>>;

Rows rows_of(std::string_view file) {
  Rows rows;
  for (std::size_t i = 0; i < embedded_releases_count; ++i) {
    if (embedded_releases[i].name != file) continue;
    for (const std::string_view line : split(embedded_releases[i].text, '\n')) {
      const std::size_t space = line.rfind(' ');
      if (!line.starts_with('#') && space != line.npos)
        rows.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
  }
  std::ranges::sort(rows);
  return rows;
}

// The first words of the lines.
std::vector<std::string_view> names_of(std::string_view file) {
  std::vector<std::string_view> names;
  for (std::size_t i = 0; i < embedded_releases_count; ++i)
    if (embedded_releases[i].name == file)
      for (const std::string_view line : split(embedded_releases[i].text, '\n'))
        if (!line.empty() && !line.starts_with('#')) names.push_back(line.substr(0, line.find(' ')));
  std::ranges::sort(names);
  return names;
}

std::string_view value_in_rows(const Rows& rows, std::string_view key) {
  const auto at = std::ranges::lower_bound(rows, key, {}, &Rows::value_type::first);
  return at == rows.end() || at->first != key ? std::string_view() : at->second;
}

}  // namespace

std::string_view cuda_driver(std::string_view toolkit) {
  static const Rows drivers = rows_of("drivers.txt");
  return value_in_rows(drivers, toolkit);
}

std::string_view cuda_toolkit_with(std::string_view soname, std::string_view function) {
  static const Rows runtime = rows_of("runtime.txt");
  return value_in_rows(runtime, std::string(soname) + " " + std::string(function));
}

std::string_view musl_with(std::string_view function) {
  static const Rows names = rows_of("musl.txt");
  const std::string_view release = value_in_rows(names, function);
  return !release.empty() && is_digit(release.front()) ? release : std::string_view();
}

bool only_glibc_has(std::string_view function) {
  static const std::vector<std::string_view> glibc = names_of("glibc.txt"), musl = names_of("musl.txt");
  return std::ranges::binary_search(glibc, function) && !std::ranges::binary_search(musl, function);
}

}  // namespace verdict
}  // namespace wheelcheck
