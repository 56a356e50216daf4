// The compiled tables as Knowledge.
#include "knowledge/builtin.h"

#include <algorithm>
#include <string>
#include <utility>

#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

// Calls take(line) for each line of a list.
void each_line(std::string_view list, auto take) {
  while (!list.empty()) {
    const std::size_t end = std::min(list.find('\n'), list.size());
    take(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
}

std::vector<std::string> lines(std::string_view list) {
  std::vector<std::string> result;
  if (list.empty()) return result;
  result.reserve(static_cast<std::size_t>(std::ranges::count(list, '\n')) + 1);
  each_line(list, [&](std::string_view line) { result.emplace_back(line); });
  return result;
}

// What stands before the first blank, and what behind it.
std::pair<std::string_view, std::string_view> cut(std::string_view line) {
  const std::size_t blank = line.find(' ');
  return {line.substr(0, blank), line.substr(blank + 1)};
}

KnownLibrary library_of(const BuiltinLibrary& row) {
  KnownLibrary result{.id = std::string(row.id),
                      .name = std::string(row.name),
                      .family = std::string(row.family),
                      .namespaces = lines(row.namespaces),
                      .symbols = lines(row.symbols),
                      .not_symbols = lines(row.not_symbols),
                      .sonames = lines(row.sonames),
                      .texts = lines(row.texts),
                      .version_nodes = lines(row.version_nodes),
                      .owners = lines(row.owners),
                      .compatible = row.compatible,
                      .checks_version = row.checks_version,
                      .bare_version = row.bare_version,
                      .ends = {}};
  each_line(row.ends, [&](std::string_view line) {
    const auto [below, rest] = cut(line);
    const auto [date, source] = cut(rest);
    result.ends.push_back({std::string(below), std::string(date), std::string(source)});
  });
  return result;
}

KnownGpuLibrary gpu_library_of(const BuiltinGpuLibrary& row) {
  KnownGpuLibrary result{.stem = std::string(row.stem),
                         .vendor = std::string(row.vendor),
                         .component = std::string(row.component),
                         .driver = row.driver,
                         .redistributable = row.redistributable,
                         .on_user_machines = std::string(row.on_user_machines),
                         .major_in_soname = row.major_in_soname,
                         .majors = {},
                         .providers = {}};
  each_line(row.majors, [&](std::string_view line) {
    const auto [soname, toolkit] = cut(line);
    result.majors.push_back({std::string(soname), std::string(toolkit)});
  });
  each_line(row.providers, [&](std::string_view line) {
    const auto [major, distribution] = cut(line);
    result.providers.push_back({std::string(major), std::string(distribution)});
  });
  return result;
}

}  // namespace

Knowledge builtin_knowledge() {
  Knowledge result;
  result.libraries.reserve(builtin_tables.libraries.size());
  for (const BuiltinLibrary& row : builtin_tables.libraries) result.libraries.push_back(library_of(row));
  result.gpu.reserve(builtin_tables.gpu.size());
  for (const BuiltinGpuLibrary& row : builtin_tables.gpu) result.gpu.push_back(gpu_library_of(row));
  for (const BuiltinDistribution& row : builtin_tables.distributions)
    result.distributions.push_back({std::string(row.name), lines(row.sonames), lines(row.brings)});
  result.stable_abi.assign(builtin_tables.stable_abi.begin(), builtin_tables.stable_abi.end());
  for (const BuiltinRemedy& row : builtin_tables.remedies)
    result.remedies.push_back({std::string(row.name), lines(row.symbols), lines(row.nodes), lines(row.libraries),
                               std::string(row.advice), std::string(row.source)});
  return result;
}

}  // namespace wheelcheck::knowledge
