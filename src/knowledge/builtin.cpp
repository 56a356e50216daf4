// The compiled tables as Knowledge.
#include "knowledge/builtin.h"

#include <algorithm>
#include <iterator>
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

// Family and number in turn, blanks between.
std::vector<NewestNode> nodes_of(std::string_view words) {
  std::vector<NewestNode> result;
  while (!words.empty()) {
    const auto [family, rest] = cut(words);
    const std::size_t end = std::min(rest.find(' '), rest.size());
    result.push_back({std::string(family), std::string(rest.substr(0, end))});
    words = rest.substr(std::min(end + 1, rest.size()));
  }
  return result;
}

KnownSystem system_of(const BuiltinSystem& row) {
  KnownSystem result{.id = std::string(row.id),
                     .distribution = std::string(row.distribution),
                     .version = std::string(row.version),
                     .codename = std::string(row.codename),
                     .libc = row.libc,
                     .libc_version = row.libc_version,
                     .nodes = {},
                     .named_nodes = lines(row.named_nodes),
                     .machines = {},
                     .x86_64_level = row.x86_64_level,
                     .released = std::string(row.released),
                     .support_ends = std::string(row.support_ends),
                     .basis = std::string(row.basis)};
  each_line(row.nodes,
            [&](std::string_view line) { std::ranges::move(nodes_of(line), std::back_inserter(result.nodes)); });
  each_line(row.machines, [&](std::string_view line) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view rest = line.substr(std::min(end + 1, line.size()));
    result.machines.push_back({arch_from_name(line.substr(0, end)).value_or(Arch::Other), nodes_of(rest)});
  });
  return result;
}

}  // namespace

std::vector<KnownSystem> builtin_systems() {
  std::vector<KnownSystem> result;
  result.reserve(builtin_tables.systems.size());
  for (const BuiltinSystem& row : builtin_tables.systems) result.push_back(system_of(row));
  return result;
}

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
