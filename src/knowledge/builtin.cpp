// Converts the built-in tables to Knowledge.
#include "knowledge/builtin.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

#include "knowledge/tables.h"

namespace wheelcheck::knowledge {
namespace {

std::string_view of(Piece piece) { return piece.of(builtin_tables.text); }

TextList lines(Piece list) { return TextList(of(list)); }

std::size_t size_of(TextList list) { return static_cast<std::size_t>(std::ranges::distance(list)); }

// The parts before and after the first blank.
std::pair<std::string_view, std::string_view> cut(std::string_view line) {
  const std::size_t blank = line.find(' ');
  return {line.substr(0, blank), line.substr(blank + 1)};
}

KnownLibrary library_of(const BuiltinLibrary& row) {
  KnownLibrary result{.id = of(row.id),
                      .name = of(row.name),
                      .family = of(row.family),
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
  for (const std::string_view line : lines(row.ends)) {
    const auto [below, rest] = cut(line);
    const auto [date, source] = cut(rest);
    result.ends.push_back({below, date, source});
  }
  return result;
}

KnownGpuLibrary gpu_library_of(const BuiltinGpuLibrary& row) {
  KnownGpuLibrary result{.stem = of(row.stem),
                         .vendor = of(row.vendor),
                         .component = of(row.component),
                         .driver = row.driver,
                         .redistributable = row.redistributable,
                         .on_user_machines = of(row.on_user_machines),
                         .major_in_soname = row.major_in_soname,
                         .majors = {},
                         .providers = {}};
  result.majors.reserve(size_of(lines(row.majors)));
  for (const std::string_view line : lines(row.majors)) {
    const auto [soname, toolkit] = cut(line);
    result.majors.push_back({soname, toolkit});
  }
  result.providers.reserve(size_of(lines(row.providers)));
  for (const std::string_view line : lines(row.providers)) {
    const auto [major, distribution] = cut(line);
    result.providers.push_back({major, distribution});
  }
  return result;
}

// Alternating families and numbers, separated by blanks.
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
  KnownSystem result{.id = std::string(of(row.id)),
                     .distribution = std::string(of(row.distribution)),
                     .version = std::string(of(row.version)),
                     .codename = std::string(of(row.codename)),
                     .libc = row.libc,
                     .libc_version = row.libc_version,
                     .nodes = {},
                     .named_nodes = parts_of(of(row.named_nodes), '\n'),
                     .machines = {},
                     .x86_64_level = row.x86_64_level,
                     .released = std::string(of(row.released)),
                     .support_ends = std::string(of(row.support_ends)),
                     .basis = std::string(of(row.basis))};
  for (const std::string_view line : lines(row.nodes))
    std::ranges::move(nodes_of(line), std::back_inserter(result.nodes));
  for (const std::string_view line : lines(row.machines)) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view rest = line.substr(std::min(end + 1, line.size()));
    result.machines.push_back({arch_from_name(line.substr(0, end)).value_or(Arch::Other), nodes_of(rest)});
  }
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
  result.distributions.reserve(builtin_tables.distributions.size());
  for (const BuiltinDistribution& row : builtin_tables.distributions)
    result.distributions.push_back({of(row.name), lines(row.sonames), lines(row.brings), lines(row.alternatives)});
  result.stable_abi.reserve(builtin_tables.stable_abi.size());
  for (const BuiltinStableSymbol& row : builtin_tables.stable_abi)
    result.stable_abi.push_back({of(row.name), row.minor, row.abi_only});
  result.remedies.reserve(builtin_tables.remedies.size());
  for (const BuiltinRemedy& row : builtin_tables.remedies)
    result.remedies.push_back(
        {of(row.name), lines(row.symbols), lines(row.nodes), lines(row.libraries), of(row.advice), of(row.source)});
  return result;
}

}  // namespace wheelcheck::knowledge
