// generate_knowledge OUT FILE...: writes data/*.json as C++ tables (src/knowledge/builtin.h). A build tool. It uses the
// same reader as for a user's files, so an error in a file stops the build and names its location.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/tables.h"
#include "literal.h"

namespace {

using namespace wheelcheck;

Lists lists;

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

// An array of structures whose members are texts.
template <class Item>
std::string list(std::string_view type, std::span<const Item> items, auto... members) {
  std::vector<std::string> rows;
  for (const Item& item : items)
    rows.push_back(fmt::format("{{{}}}", fmt::join(std::array{literal(item.*members)...}, ", ")));
  return lists.add(type, rows);
}

std::string row(const KnownLibrary& one) {
  std::string result = fmt::format("{}, {}, {}", literal(one.id), literal(one.name), literal(one.family));
  for (const TextSpan texts :
       {one.namespaces, one.symbols, one.not_symbols, one.sonames, one.texts, one.version_nodes, one.owners})
    result += ", " + lists.add(texts);
  std::vector<std::string> opens;
  for (const OpenedParts& each : one.opens)
    opens.push_back(fmt::format("{{{}, {}}}", literal(each.file), lists.add(each.one_of)));
  return result + fmt::format(", Compatible::{}, {}, {}, {}, {}, {}", constant_of(one.compatible), one.checks_version,
                              one.bare_version, one.in_interpreters,
                              list("EndOfLife", one.ends, &EndOfLife::below, &EndOfLife::date, &EndOfLife::source),
                              lists.add("OpenedParts", opens));
}

std::string row(const KnownGpuLibrary& one) {
  return fmt::format("{}, {}, {}, {}, {}, {}, {}, {}, {}", literal(one.stem), literal(one.vendor),
                     literal(one.component), one.driver, one.redistributable, literal(one.on_user_machines),
                     one.major_in_soname, list("SonameMajor", one.majors, &SonameMajor::soname, &SonameMajor::toolkit),
                     list("GpuProvider", one.providers, &GpuProvider::major, &GpuProvider::distribution));
}

std::string row(const KnownDistribution& one) {
  return fmt::format("{}, {}, {}, {}", literal(one.name), lists.add(one.sonames), lists.add(one.brings),
                     lists.add(one.alternatives));
}

std::string row(const KnownRemedy& one) {
  return fmt::format("{}, {}, {}, {}, {}, {}", literal(one.name), lists.add(one.symbols), lists.add(one.nodes),
                     lists.add(one.libraries), literal(one.advice), literal(one.source));
}

std::string row(const StableSymbol& one) {
  return fmt::format("{}, {}, {}", literal(one.name), one.minor, one.abi_only);
}

template <class Entry>
std::string table(std::string_view type, std::string_view name, const std::vector<Entry>& entries) {
  std::string result = fmt::format("constexpr {} {}[] = {{\n", type, name);
  for (const Entry& entry : entries) result += fmt::format("    {{{}}},\n", row(entry));
  return result + "};\n\n";
}

std::string source_of(const Knowledge& knowledge) {
  const std::string tables =
      table("KnownLibrary", "libraries", knowledge.libraries) + table("KnownGpuLibrary", "gpu", knowledge.gpu) +
      table("KnownDistribution", "distributions", knowledge.distributions) +
      table("StableSymbol", "stable_abi", knowledge.stable_abi) + table("KnownRemedy", "remedies", knowledge.remedies);
  return "// Written by the build from data/*.json.\n#include \"knowledge/builtin.h\"\n\nnamespace "
         "wheelcheck::knowledge {\nnamespace {\n\n" +
         lists.definitions() + '\n' + tables +
         "}  // namespace\n\nconstinit const BuiltinTables builtin_tables{libraries, gpu, distributions, stable_abi, "
         "remedies};\n\n}  // namespace wheelcheck::knowledge\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fputs("usage: generate_knowledge OUT FILE...\n", stderr);
    return 2;
  }
  Knowledge knowledge;
  for (const char* const file : std::span(argv + 2, argv + argc)) {
    std::ifstream in(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    auto more = knowledge::read_tables(text, file);
    if (!more) {
      fmt::print(stderr, "{}\n", more.error().message);
      return 1;
    }
    knowledge = knowledge::merged(std::move(knowledge), std::move(*more));
  }
  std::ofstream out(argv[1], std::ios::binary | std::ios::trunc);
  out << source_of(knowledge);
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[1]);
  return 1;
}
