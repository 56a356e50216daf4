#include "verdict/cuda_tables.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {

extern const EmbeddedFile embedded_cuda[];
extern const std::size_t embedded_cuda_count;

namespace verdict {
namespace {

// The last word of a line is what the table gives for the words before it.
using Rows = std::vector<std::pair<std::string_view, std::string_view>>;

Rows rows_of(std::string_view file) {
  Rows rows;
  for (std::size_t i = 0; i < embedded_cuda_count; ++i) {
    if (embedded_cuda[i].name != file) continue;
    for (const std::string_view line : split(embedded_cuda[i].text, '\n')) {
      const std::size_t space = line.rfind(' ');
      if (!line.starts_with('#') && space != line.npos)
        rows.emplace_back(line.substr(0, space), line.substr(space + 1));
    }
  }
  std::ranges::sort(rows);
  return rows;
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

}  // namespace verdict
}  // namespace wheelcheck
