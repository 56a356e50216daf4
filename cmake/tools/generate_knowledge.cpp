// generate_knowledge OUT FILE...: writes data/*.json as C++ tables (src/knowledge/builtin.h). A tool of the build: it
// reads with the very code that reads a user's files, so a mistake in a file stops the build with its place.
#include <fmt/format.h>
#include <fmt/ranges.h>

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

std::string lines(const std::vector<std::string>& items) { return literal(fmt::format("{}", fmt::join(items, "\n"))); }

// One line for each item, as `line` writes it.
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
  std::string result = fmt::format("    {{{},{},{}", literal(one.id), literal(one.name), literal(one.family));
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
  return fmt::format("    {{{},{},{}, {}, {},{}, {},{},{}}},\n", literal(one.stem), literal(one.vendor),
                     literal(one.component), one.driver, one.redistributable, literal(one.on_user_machines),
                     one.major_in_soname, majors, providers);
}

std::string row(const KnownDistribution& one) {
  return fmt::format("    {{{},{},{}}},\n", literal(one.name), lines(one.sonames), lines(one.brings));
}

std::string row(const KnownRemedy& one) {
  return fmt::format("    {{{},{},{},{},{},{}}},\n", literal(one.name), lines(one.symbols), lines(one.nodes),
                     lines(one.libraries), literal(one.advice), literal(one.source));
}

std::string row(const StableSymbol& one) {
  return fmt::format("    {{\"{}\", {}, {}}},\n", one.name, one.minor, one.abi_only);
}

template <class Entry>
std::string table(std::string_view type, std::string_view name, const std::vector<Entry>& entries) {
  std::string result = fmt::format("constexpr {} {}[] = {{\n", type, name);
  for (const Entry& entry : entries) result += row(entry);
  return result + "};\n\n";
}

std::string source_of(const Knowledge& knowledge) {
  return "// Written by the build from data/*.json.\n#include \"knowledge/builtin.h\"\n\nnamespace "
         "wheelcheck::knowledge "
         "{\nnamespace {\n\n" +
         table("BuiltinLibrary", "libraries", knowledge.libraries) + table("BuiltinGpuLibrary", "gpu", knowledge.gpu) +
         table("BuiltinDistribution", "distributions", knowledge.distributions) +
         table("StableSymbol", "stable_abi", knowledge.stable_abi) +
         table("BuiltinRemedy", "remedies", knowledge.remedies) +
         "}  // namespace\n\nconstinit const BuiltinTables builtin_tables{libraries, gpu, distributions, "
         "stable_abi, remedies};\n\n}  // namespace wheelcheck::knowledge\n";
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
