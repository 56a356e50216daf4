#include "verdict/release_tables.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/embedded.h"
#include "base/text.h"
#include "model/c_names.h"
#include "model/each_symbol.h"
#include "wheelcheck/version.h"

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

namespace {

// The release of musl that added the function. "" if every release since 1.1.0 has it, or none.
std::string_view musl_with(std::string_view function) { return c_name(Libc::Musl, function).value_or(CName{}).since; }
bool only_glibc_has(std::string_view function) {
  return c_name(Libc::Glibc, function) && !c_name(Libc::Musl, function);
}

}  // namespace

MuslReleases::MuslReleases(const WheelFacts& wheel) {
  if (std::ranges::none_of(wheel.elfs, [](const ElfMember& elf) { return elf.libc == Libc::Musl; })) return;
  for (const ElfMember& elf : wheel.elfs)
    if (elf.facts.dynamic)
      each_symbol(elf.facts.dynamic->exports, [&](const Export& symbol) {
        if (!musl_with(symbol.name).empty() || only_glibc_has(symbol.name)) own_.insert(symbol.name);
      });
}

MuslReleases::Required MuslReleases::by(const DynamicFacts& file) const {
  Required out;
  each_symbol(file.imports, [&](const Import& import) {
    if (import.weak || import.bound == Bound::Never) return;
    const std::string_view since = musl_with(import.name);
    if (since.empty() || natural_order(since, out.release) <= 0 || own_.contains(import.name)) return;
    out = {since, import.name};
  });
  return out;
}

std::string_view MuslReleases::of_glibc(const DynamicFacts& file) const {
  std::string_view first;
  each_symbol(file.imports, [&](const Import& import) {
    if (!first.empty() || import.weak || import.bound == Bound::Never || own_.contains(import.name)) return;
    if (only_glibc_has(import.name)) first = import.name;
  });
  return first;
}

}  // namespace verdict
}  // namespace wheelcheck
