// WC301: an interface uses both std::string types of libstdc++, in one file or in files that call each other.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "mangling/cxx_name.h"
#include "model/each_symbol.h"
#include "rules/common.h"

namespace wheelcheck::rules::string_abi_mixed {
namespace {

constexpr std::uint32_t enough = 10;  // symbols of each kind; fewer are a compatibility layer or an example

constexpr std::string_view one_abi =
    "compile all of it, static libraries too, with the same -D_GLIBCXX_USE_CXX11_ABI=0 or =1";

// The ABI of the interface if it is clear; None if it uses neither or both.
StringAbi mostly(const CxxAbi& abi) {
  if (abi.own_old >= enough && abi.own_new < enough) return StringAbi::Old;
  if (abi.own_new >= enough && abi.own_old < enough) return StringAbi::New;
  return StringAbi::None;
}

void check_file(const WheelView& view, const Emit& emit, ElfIndex index) {
  const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
  if (abi.own_old < enough || abi.own_new < enough) return;
  emit(
      {.place = AtElf{index},
       .message = fmt::format("exports functions with both std::string types: {} with the old one, {} with the new one",
                              abi.own_old, abi.own_new),
       .evidence = {{"old", list_of(abi.examples_old, 5)}, {"new", list_of(abi.examples_new, 5)}},
       .fix = std::string(one_abi),
       .severity = {},
       .confidence = {}});
}

// C++ functions of the provider that the user imports, without those of the C++ runtime.
std::vector<std::string> calls(const ElfMember& user, const ElfMember& provider) {
  std::vector<std::string> found;
  std::set<std::string_view> wanted;
  for (const Import& import : user.facts.dynamic->imports)
    if (!import.need && is_cxx_name(import.name) && cxx_scope(import.name) == CxxScope::User)
      wanted.insert(import.name);
  if (wanted.empty()) return found;
  each_symbol(provider.facts.dynamic->exports, [&](const Export& symbol) {
    if (wanted.contains(symbol.name)) found.emplace_back(symbol.name);
  });
  std::ranges::sort(found);
  return found;
}

void check_links(const WheelView& view, const Emit& emit, ElfIndex index) {
  if (index.value >= view.resolution.needed.size()) return;
  const StringAbi own = mostly(view.analysis.elfs[index.value].cxx);
  if (own == StringAbi::None) return;
  for (const NeededFound& found : view.resolution.needed[index.value]) {
    if (found.found != Found::InWheel || !found.provider || found.provider->wheel.value != 0) continue;
    const ElfIndex other = found.provider->elf;
    const StringAbi theirs = mostly(view.analysis.elfs[other.value].cxx);
    if (theirs == StringAbi::None || theirs == own) continue;
    const auto called = calls(view.wheel.elfs[index.value], view.wheel.elfs[other.value]);
    if (called.empty()) continue;
    emit({.place = AtElf{index},
          .message = fmt::format("has an interface with the {} std::string and calls {}, which has the {} one",
                                 name_of(own), path_of(view, other), name_of(theirs)),
          .evidence = {{"calls", list_of(called)}},
          .fix = std::string(one_abi),
          .severity = {},
          .confidence = Confidence::Medium});
  }
}

void check(const WheelView& view, const Emit& emit) {
  for_each_judged(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic) return;
    check_file(view, emit, index);
    check_links(view, emit, index);
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC301",
    .name = "string-abi-mixed",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::string_abi_mixed
