// generate_knowledge OUT FILE...: writes data/*.json as C++ tables (src/knowledge/builtin.h). A build tool. It uses the
// same reader as for a user's files, so an error in a file stops the build and names its location.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/patterns.h"
#include "knowledge/tables.h"
#include "literal.h"

namespace {

using namespace wheelcheck;

Pieces pieces;

std::string text(std::string_view words) { return pieces.add(words); }
std::string lines(const auto& items) { return text(fmt::format("{}", fmt::join(items, "\n"))); }

// One line for each item, formatted by `line`.
template <class Item>
std::string lines(const std::vector<Item>& items, std::string (*line)(const Item&)) {
  std::vector<std::string> texts;
  for (const Item& item : items) texts.push_back(line(item));
  return lines(texts);
}

std::string_view constant_of(Compatible compatible) {
  switch (compatible) {
    case Compatible::Unsaid:
      return "Unsaid";
    case Compatible::Stable:
      return "Stable";
    case Compatible::Major:
      return "Major";
    case Compatible::Exact:
      return "Exact";
  }
  return "";
}

std::string row(const KnownLibrary& one) {
  std::string result = fmt::format("    {{{},{},{}", text(one.id), text(one.name), text(one.family));
  for (const auto* list :
       {&one.namespaces, &one.symbols, &one.not_symbols, &one.sonames, &one.texts, &one.version_nodes, &one.owners})
    result += ',' + lines(*list);
  const std::string ends = lines<EndOfLife>(
      one.ends, [](const EndOfLife& end) { return fmt::format("{} {} {}", end.below, end.date, end.source); });
  return result + fmt::format(", Compatible::{}, {}, {},{}}},\n", constant_of(one.compatible), one.checks_version,
                              one.bare_version, ends);
}

std::string row(const KnownGpuLibrary& one) {
  const std::string majors = lines<SonameMajor>(
      one.majors, [](const SonameMajor& major) { return fmt::format("{} {}", major.soname, major.toolkit); });
  const std::string providers = lines<GpuProvider>(one.providers, [](const GpuProvider& provider) {
    return fmt::format("{} {}", provider.major, provider.distribution);
  });
  return fmt::format("    {{{},{},{}, {}, {},{}, {},{},{}}},\n", text(one.stem), text(one.vendor), text(one.component),
                     one.driver, one.redistributable, text(one.on_user_machines), one.major_in_soname, majors,
                     providers);
}

std::string row(const KnownDistribution& one) {
  return fmt::format("    {{{},{},{},{}}},\n", text(one.name), lines(one.sonames), lines(one.brings),
                     lines(one.alternatives));
}

std::string row(const KnownRemedy& one) {
  return fmt::format("    {{{},{},{},{},{},{}}},\n", text(one.name), lines(one.symbols), lines(one.nodes),
                     lines(one.libraries), text(one.advice), text(one.source));
}

std::string row(const StableSymbol& one) {
  return fmt::format("    {{{}, {}, {}}},\n", text(one.name), one.minor, one.abi_only);
}

std::string words(const std::vector<NewestNode>& nodes) {
  std::string result;
  for (const NewestNode& node : nodes)
    result += fmt::format("{}{} {}", result.empty() ? "" : " ", node.family, node.number);
  return result;
}

std::string row(const KnownSystem& one) {
  const std::string nodes = lines<NewestNode>(
      one.nodes, [](const NewestNode& node) { return fmt::format("{} {}", node.family, node.number); });
  const std::string machines = lines<SystemMachine>(one.machines, [](const SystemMachine& machine) {
    return fmt::format("{}{}{}", name_of(machine.arch), machine.nodes.empty() ? "" : " ", words(machine.nodes));
  });
  return fmt::format("    {{{},{},{},{}, Libc::{}, {{{{{}}}}},{},{},{}, {},{},{},{}}},\n", text(one.id),
                     text(one.distribution), text(one.version), text(one.codename),
                     one.libc == Libc::Musl ? "Musl" : "Glibc", fmt::join(one.libc_version.parts, ", "), nodes,
                     lines(one.named_nodes), machines, one.x86_64_level, text(one.released), text(one.support_ends),
                     text(one.basis));
}

template <class Entry>
std::string table(std::string_view type, std::string_view name, const std::vector<Entry>& entries) {
  std::string result = fmt::format("constexpr {} {}[] = {{\n", type, name);
  for (const Entry& entry : entries) result += row(entry);
  return result + "};\n\n";
}

std::string patterns(std::string_view name, std::span<const std::pair<std::string_view, std::uint32_t>> loose) {
  const PrefixIndex::Arranged arranged = PrefixIndex::arrange(loose);
  const std::size_t start = pieces.place_of(arranged.text);
  std::string result =
      fmt::format("constexpr std::array<PrefixIndex::Entry, {}> {} = {{{{\n", arranged.entries.size(), name);
  for (const PrefixIndex::Entry& entry : arranged.entries)
    result += fmt::format("    {{{{{}, {}}}, {{{}, {}, PatternParts::Rest{{{}}}}}, {}, {}}},\n",
                          start + entry.pattern.at, entry.pattern.size, entry.parts.prefix, entry.parts.suffix,
                          static_cast<unsigned>(entry.parts.rest), entry.value, entry.shorter);
  return result + "}};\n\n";
}

std::string source_of(const Knowledge& knowledge, const std::vector<KnownSystem>& systems) {
  const knowledge::LooseLibraryPatterns loose(knowledge.libraries);
  const std::string tables =
      table("BuiltinLibrary", "libraries", knowledge.libraries) + table("BuiltinGpuLibrary", "gpu", knowledge.gpu) +
      table("BuiltinDistribution", "distributions", knowledge.distributions) +
      table("BuiltinStableSymbol", "stable_abi", knowledge.stable_abi) +
      table("BuiltinRemedy", "remedies", knowledge.remedies) + table("BuiltinSystem", "systems", systems) +
      patterns("symbols", loose.symbols) + patterns("mangled", loose.mangled) + patterns("sonames", loose.sonames);
  return "// Written by the build from data/*.json.\n#include <array>\n\n#include \"knowledge/builtin.h\"\n\nnamespace "
         "wheelcheck::knowledge {\nnamespace {\n\n" +
         pieces.definition() + tables +
         "}  // namespace\n\nconstinit const BuiltinTables builtin_tables{{text, sizeof text - 1}, libraries, gpu, "
         "distributions, stable_abi, remedies, systems, symbols, mangled, sonames};\n\n}  // namespace "
         "wheelcheck::knowledge\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: generate_knowledge OUT FILE...\n", stderr);
    return 2;
  }
  Knowledge knowledge;
  std::vector<KnownSystem> systems;
  for (const char* const file : std::span(argv + 2, argv + argc)) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    auto more = knowledge::read_tables(text, file);
    if (!more) {
      fmt::print(stderr, "{}\n", more.error().message);
      return 1;
    }
    knowledge = knowledge::merged(std::move(knowledge), std::move(*more));
    systems = knowledge::merged(std::move(systems), knowledge::read_systems(text, file).value());
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << source_of(knowledge, systems);
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[1]);
  return 1;
}
