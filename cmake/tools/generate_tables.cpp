// generate_tables policies|knowledge OUT FILE...: writes policies/*.json as C++ tables (src/policy/builtin.h), or those
// of data/ (src/knowledge/builtin.h). A build tool. It uses the same readers as for a user's files, so an error in a
// file stops the build and names its location.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <cstdio>
#include <expected>
#include <fstream>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "knowledge/tables.h"
#include "literal.h"
#include "policy/validate.h"

namespace {

using namespace wheelcheck;
using policy::Level;

Lists lists;

using Source = std::expected<std::string, std::string>;  // the C++ source, or what is wrong

std::string text_of(const char* file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// --- policies ---

std::string list(const std::map<std::string, StringSet, std::less<>>& sets) {
  std::vector<std::string> rows;
  for (const auto& [key, texts] : sets) rows.push_back(fmt::format("{{{}, {}}}", literal(key), lists.add(texts)));
  return lists.add("BuiltinSet", rows);
}

std::string_view constant_of(PlatformTag::Family family) {
  if (family == PlatformTag::Family::Musllinux) return "Musllinux";
  return family == PlatformTag::Family::Android ? "Android" : "Manylinux";
}

std::string row(const Level& level, Arch arch, const Policy& policy) {
  return fmt::format("    {{{}, {}, PlatformTag::Family::{}, {{{{{}}}}}, Arch::{}, {}, {}, {}, {}}},\n",
                     literal(level.name), lists.add(level.aliases), constant_of(level.family),
                     fmt::join(level.libc.parts, ", "), name_of(arch), policy.allows_libpython,
                     lists.add(policy.libraries), list(policy.denied_symbols), list(policy.versions));
}

Source policy_source(std::span<const char* const> files) {
  std::string rows;
  for (const char* const file : files) {
    policy::Problems problems;
    const std::vector<Level> levels = policy::read_levels(text_of(file), problems);
    if (!problems.empty()) return std::unexpected(fmt::format("{}: {}", file, problems.summary()));
    for (const Level& level : levels)
      for (const auto& [arch, policy] : level.policies) rows += row(level, arch, policy);
  }
  return "// Written by the build from policies/*.json.\n#include \"policy/builtin.h\"\n\nnamespace "
         "wheelcheck::policy {\n\n" +
         lists.definitions() + "\nconstexpr BuiltinPolicy policies[] = {\n" + rows +
         "};\nconst std::span<const BuiltinPolicy> builtin_policies = policies;\n\n}  // namespace "
         "wheelcheck::policy\n";
}

// --- knowledge ---

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
  return fmt::format("{}, {}, {}, {}, {}", literal(one.name), lists.add(one.sonames), lists.add(one.brings),
                     lists.add(one.alternatives),
                     list("DroppedRequirement", one.dropped, &DroppedRequirement::pattern, &DroppedRequirement::since,
                          &DroppedRequirement::python));
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

Source knowledge_source(std::span<const char* const> files) {
  Knowledge known;
  for (const char* const file : files) {
    auto more = knowledge::read_tables(text_of(file), file);
    if (!more) return std::unexpected(more.error().message);
    known = knowledge::merged(std::move(known), std::move(*more));
  }
  const std::string tables =
      table("KnownLibrary", "libraries", known.libraries) + table("KnownGpuLibrary", "gpu", known.gpu) +
      table("KnownDistribution", "distributions", known.distributions) +
      table("StableSymbol", "stable_abi", known.stable_abi) + table("KnownRemedy", "remedies", known.remedies);
  return "// Written by the build from data/*.json.\n#include \"knowledge/builtin.h\"\n\nnamespace "
         "wheelcheck::knowledge {\nnamespace {\n\n" +
         lists.definitions() + '\n' + tables +
         "}  // namespace\n\nconstinit const BuiltinTables builtin_tables{libraries, gpu, distributions, stable_abi, "
         "remedies};\n\n}  // namespace wheelcheck::knowledge\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc < 4 ? "" : argv[1];
  if (what != "policies" && what != "knowledge") {
    std::fputs("usage: generate_tables policies|knowledge OUT FILE...\n", stderr);
    return 2;
  }
  const std::span<const char* const> files(argv + 3, argv + argc);
  const Source source = what == "policies" ? policy_source(files) : knowledge_source(files);
  if (!source) {
    fmt::print(stderr, "{}\n", source.error());
    return 1;
  }
  std::ofstream out(argv[2], std::ios::binary | std::ios::trunc);
  out << *source;
  out.close();
  if (out) return 0;
  fmt::print(stderr, "{}: cannot be written\n", argv[2]);
  return 1;
}
