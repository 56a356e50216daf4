#include "wheel/name_budget.h"

#include <algorithm>
#include <string_view>

namespace wheelcheck::wheel {
namespace {

// The bytes that a JSON report with one of them took more than one without.
constexpr std::uint64_t library = 4600, need = 4200, definition = 600, directory = 300, import = 600;

// A report is made of several copies of a name, and escapes each odd character by up to four.
std::uint64_t copies_of(std::string_view name) {
  const bool plain = std::ranges::all_of(name, [](char c) { return c >= ' ' && c <= '~'; });
  return (plain ? 10 : 40) * name.size();
}

std::uint64_t cost_of(const ElfFacts& facts) {
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

}  // namespace

NameBudget::NameBudget(std::span<const archive::Entry> entries) {
  constexpr std::uint64_t for_a_byte = 96;
  for (const archive::Entry& entry : entries)
    max_ += for_a_byte * (entry.packed_size != 0 ? entry.packed_size : entry.size);
}

bool NameBudget::admits(const ElfFacts& facts) { return (used_ += cost_of(facts)) <= max_refused * max_; }

void NameBudget::take(ElfFacts& facts) {
  taken_ += cost_of(facts);
  if (taken_ <= max_ || !facts.dynamic) return;
  facts.kind = ElfKind::Other;
  facts.dynamic.reset();
  facts.flaws.push_back({.area = ElfArea::Dynamic,
                         .fatal = true,
                         .reason = "names more libraries, versions, directories and symbols than are read of a wheel "
                                   "of its size"});
}

}  // namespace wheelcheck::wheel
