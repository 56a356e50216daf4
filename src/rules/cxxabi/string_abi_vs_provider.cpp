// WC303: a file imports a function of another wheel with one std::string ABI, and that wheel defines it only with the
// other.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "mangling/cxx_name.h"
#include "model/each_symbol.h"
#include "rules/common.h"

namespace wheelcheck::rules::string_abi_vs_provider {
namespace {

// The files of other wheels that a DT_NEEDED refers to. They are found by a search path, or by soname alone, because
// such wheels are often loaded first from Python.
std::set<ElfRef> providers_of(const WheelView& view, ElfIndex index) {
  std::set<ElfRef> refs;
  if (index.value >= view.resolution.needed.size()) return refs;
  for (const NeededFound& found : view.resolution.needed[index.value]) {
    if (found.found == Found::InWheel || found.found == Found::InProcess) continue;
    for (const std::optional<ElfRef>& ref : {found.provider, found.unreached})
      if (ref && ref->wheel.value > 0 && ref->wheel.value <= view.providers.size()) refs.insert(*ref);
  }
  return refs;
}

struct Wanted {
  std::string_view symbol;
  bool old_abi = false, found = false;
  std::string_view other;  // the name of the same function with the other std::string
};

// The imports of the file that only a provider can define: strong, without a version, and with only one of the two
// std::string.
std::map<std::string_view, Wanted> wanted_by(const ElfMember& elf) {
  std::map<std::string_view, Wanted> wanted;
  for (const Import& import : elf.facts.dynamic->imports) {
    if (import.weak || import.need || import.bound == Bound::Never) continue;
    const StringNames names = string_names(import.name);
    if (names.old_abi == names.new_abi || cxx_scope(import.name) != CxxScope::User) continue;
    wanted.emplace(import.name, Wanted{.symbol = import.name, .old_abi = names.old_abi});
  }
  return wanted;
}

void look_in(const DynamicFacts& dynamic, std::map<std::string_view, Wanted>& wanted,
             const std::multimap<std::string_view, Wanted*>& by_function) {
  each_symbol(dynamic.exports, [&](const Export& symbol) {
    if (const auto exact = wanted.find(symbol.name); exact != wanted.end()) exact->second.found = true;
    const StringNames names = string_names(symbol.name);
    if (names.old_abi == names.new_abi) return;
    const auto [first, last] = by_function.equal_range(qualified_part(symbol.name));
    for (auto it = first; it != last; ++it)
      if (it->second->old_abi != names.old_abi && it->second->other.empty()) it->second->other = symbol.name;
  });
}

std::vector<const DynamicFacts*> searched(const WheelView& view, const std::set<ElfRef>& refs) {
  std::vector<const DynamicFacts*> result;
  std::set<std::uint32_t> wheels;
  for (const ElfRef& ref : refs) wheels.insert(ref.wheel.value);
  const auto add = [&](const WheelFacts& wheel) {
    for (const ElfMember& elf : wheel.elfs)
      if (is_host_code(elf) && elf.facts.dynamic) result.push_back(&*elf.facts.dynamic);
  };
  // A symbol that any file of these wheels defines may reach the user in a way that is not modelled.
  add(view.wheel);
  for (const std::uint32_t wheel : wheels) add(view.providers[wheel - 1]);
  return result;
}

void check_file(const WheelView& view, const Emit& emit, ElfIndex index, const ElfMember& elf) {
  const std::set<ElfRef> refs = providers_of(view, index);
  if (refs.empty()) return;
  std::map<std::string_view, Wanted> wanted = wanted_by(elf);
  std::multimap<std::string_view, Wanted*> by_function;
  for (auto& [symbol, want] : wanted)
    if (const std::string_view function = qualified_part(symbol); !function.empty())
      by_function.emplace(function, &want);
  if (by_function.empty()) return;
  for (const DynamicFacts* dynamic : searched(view, refs)) look_in(*dynamic, wanted, by_function);
  std::vector<std::string> symbols;
  const Wanted* example = nullptr;
  for (const auto& [symbol, want] : wanted) {
    if (want.found || want.other.empty()) continue;
    if (!example) example = &want;
    symbols.emplace_back(symbol);
  }
  if (!example) return;
  const std::string& dist = view.providers[refs.begin()->wheel.value - 1].name.distribution;
  const std::string_view ours = example->old_abi ? "old" : "new", theirs = example->old_abi ? "new" : "old";
  emit({.place = AtElf{index},
        .message =
            fmt::format("requires {} with the {} std::string type, but {} has {} only with the {} one",
                        count_of(symbols.size(), "function"), ours, dist, symbols.size() == 1 ? "it" : "them", theirs),
        .evidence = {{"undefined symbols", list_of(symbols)}, {"in its place", std::string(example->other)}},
        .fix = fmt::format("rebuild against this {} with -D_GLIBCXX_USE_CXX11_ABI={}, or require the {} that it was "
                           "built against",
                           dist, example->old_abi ? 1 : 0, dist),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  if (view.providers.empty()) return;
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.dynamic) check_file(view, emit, index, elf);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC303",
    .name = "string-abi-vs-provider",
    .severity = Severity::Error,
    .check = check,
};

}  // namespace wheelcheck::rules::string_abi_vs_provider
