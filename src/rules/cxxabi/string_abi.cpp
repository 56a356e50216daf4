// The two std::string types of libstdc++ (_GLIBCXX_USE_CXX11_ABI), which have one name in C++ and two in binaries.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "mangling/cxx_name.h"
#include "model/each_symbol.h"
#include "rules/common.h"

// WC303: a file imports a function of another wheel with one std::string ABI, and that wheel defines it only with the
// other.
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

struct ReadPlan {
  std::string_view symbol;
  bool old_abi = false, found = false;
  std::string_view other;  // the name of the same function with the other std::string
};

// The imports of the file that only a provider can define: strong, without a version, and with only one of the two
// std::string.
std::map<std::string_view, ReadPlan> wanted_by(const ElfMember& elf) {
  std::map<std::string_view, ReadPlan> wanted;
  for (const Import& import : elf.facts.dynamic->imports) {
    if (import.weak || import.need || import.bound == Bound::Never) continue;
    const StringNames names = string_names(import.name);
    if (names.old_abi == names.new_abi || cxx_scope(import.name) != CxxScope::User) continue;
    wanted.emplace(import.name, ReadPlan{.symbol = import.name, .old_abi = names.old_abi});
  }
  return wanted;
}

void look_in(const DynamicFacts& dynamic, std::map<std::string_view, ReadPlan>& wanted,
             const std::multimap<std::string_view, ReadPlan*>& by_function) {
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
  std::map<std::string_view, ReadPlan> wanted = wanted_by(elf);
  std::multimap<std::string_view, ReadPlan*> by_function;
  for (auto& [symbol, want] : wanted)
    if (const std::string_view function = qualified_part(symbol); !function.empty())
      by_function.emplace(function, &want);
  if (by_function.empty()) return;
  for (const DynamicFacts* dynamic : searched(view, refs)) look_in(*dynamic, wanted, by_function);
  std::vector<std::string> symbols;
  const ReadPlan* example = nullptr;
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

// WC301: an interface uses both std::string types of libstdc++, in one file or in files that call each other.
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
       .severity = Severity::Note,  // no call between the two is seen
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

// WC302: the std::string ABI of the wheel; an error if the user requires the other one.
namespace wheelcheck::rules::string_abi_report {
namespace {

StringAbi operator|(StringAbi a, StringAbi b) {
  if (a == b || b == StringAbi::None) return a;
  return a == StringAbi::None ? b : StringAbi::Both;
}

void require(const WheelView& view, const Emit& emit, ElfIndex index, StringAbi required) {
  const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
  const StringAbi spoken = abi.defined | abi.imported;
  if (spoken == required || spoken == StringAbi::None) return;
  const bool uses_new = required == StringAbi::New;
  const auto& wrong = uses_new ? abi.examples_old : abi.examples_new;
  std::vector<Evidence> evidence;
  if (!wrong.empty()) evidence.push_back({"symbols", list_of(wrong, 5)});
  emit({.place = AtElf{index},
        .message = fmt::format("uses the {} std::string type, but the {} one is required", uses_new ? "old" : "new",
                               name_of(required)),
        .evidence = std::move(evidence),
        .fix = fmt::format("compile with -D_GLIBCXX_USE_CXX11_ABI={}{}", uses_new ? 1 : 0,
                           uses_new ? " in the manylinux_2_28 image or a newer one" : ""),
        .severity = Severity::Error,
        .confidence = {}});
}

void report(const WheelView& view, const Emit& emit) {
  std::map<StringAbi, std::vector<std::string>> files;
  std::map<CxxRuntime, std::size_t> runtimes;
  std::vector<std::string> early;
  for_each_judged(view, [&](ElfIndex index, const ElfMember&) {
    const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
    const StringAbi spoken = abi.defined | abi.imported;
    if (spoken != StringAbi::None) files[spoken].emplace_back(path_of(view, index));
    if (abi.runtime != CxxRuntime::None) ++runtimes[abi.runtime];
    if (abi.early_cxx11) early.emplace_back(path_of(view, index));
  });
  if (files.empty()) return;
  StringAbi whole = StringAbi::None;
  std::vector<Evidence> evidence;
  for (const auto& [abi, paths] : files) {
    whole = whole | abi;
    evidence.push_back(
        {std::string(name_of(abi)), fmt::format("{}: {}", count_of(paths.size(), "file"), list_of(paths))});
  }
  std::vector<std::string> counts;
  for (const auto& [runtime, count] : runtimes)
    counts.push_back(fmt::format("{}: {}", name_of(runtime), count_of(count, "file")));
  if (!counts.empty()) evidence.push_back({"C++ runtime", fmt::format("{}", fmt::join(counts, "; "))});
  if (!early.empty()) evidence.push_back({"C++11 of a GCC before 5", list_of(early)});
  const bool both = whole == StringAbi::Both;
  emit({.place = WholeWheel{},
        .message = both ? std::string("its C++ code uses both std::string types of libstdc++")
                        : fmt::format("its C++ code uses the {} std::string type of libstdc++", name_of(whole)),
        .evidence = std::move(evidence),
        .fix = both ? std::string("compile C++ code that links a file with the type of that file: "
                                  "-D_GLIBCXX_USE_CXX11_ABI=0 is the old one, =1 the new one")
                    : fmt::format("compile C++ code that links it with -D_GLIBCXX_USE_CXX11_ABI={}",
                                  whole == StringAbi::New ? 1 : 0),
        .severity = {},
        .confidence = {}});
}

void check(const WheelView& view, const Emit& emit) {
  const StringAbi required = view.options.required_string_abi;
  if (required == StringAbi::Old || required == StringAbi::New)
    for_each_judged(view, [&](ElfIndex index, const ElfMember&) { require(view, emit, index, required); });
  report(view, emit);
}

}  // namespace

extern const Rule rule{
    .code = "WC302",
    .name = "string-abi-report",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::string_abi_report
