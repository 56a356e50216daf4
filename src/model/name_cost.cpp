#include "model/name_cost.h"

#include <algorithm>
#include <string_view>

namespace wheelcheck {
namespace {

// The bytes that a JSON report with one of them took more than one without.
constexpr std::uint64_t library = 4600, need = 4200, definition = 600, directory = 300, import = 600;

// A report is made of several copies of a name, and escapes each odd character by up to four.
std::uint64_t copies_of(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  return (plain ? 10 : 40) * name.size();
}

}  // namespace

std::uint64_t name_cost(const ElfFacts& facts) {
  if (!facts.dynamic) return 0;
  const DynamicFacts& dynamic = *facts.dynamic;
  std::uint64_t bytes = 0;
  const auto add = [&](std::uint64_t fixed, std::string_view name) { bytes += fixed + copies_of(name); };
  for (const auto* const names : {&dynamic.needed, &dynamic.filters, &dynamic.auxiliaries})
    for (const std::string_view name : *names) add(library, name);
  for (const auto* const path : {&dynamic.search.rpath, &dynamic.search.runpath})
    for (const std::string_view name : *path) add(directory, name);
  for (const VersionNeed& one : dynamic.needs) add(need + copies_of(one.library), one.version);
  for (const VersionDefinition& one : dynamic.provides) add(definition, one.version);
  for (const Import& one : dynamic.imports) add(import, one.name);
  return bytes;
}

}  // namespace wheelcheck
