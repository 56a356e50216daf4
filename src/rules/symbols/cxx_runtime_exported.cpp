// WC207: internal functions of a statically linked libstdc++, libc++ or libgcc are exported, so other files can bind to
// them.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mangling/cxx_name.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"

namespace wheelcheck::rules::cxx_runtime_exported {
namespace {

// Functions that start or end an exception or unwind the stack. A process must have only one copy.
constexpr std::array<std::string_view, 12> heart = {"__cxa_throw",
                                                    "__cxa_rethrow",
                                                    "__cxa_begin_catch",
                                                    "__cxa_end_catch",
                                                    "__cxa_get_globals",
                                                    "__gxx_personality_v0",
                                                    "__cxa_allocate_exception",
                                                    "__dynamic_cast",
                                                    "_Unwind_RaiseException",
                                                    "_Unwind_Resume",
                                                    "__register_frame",
                                                    "_ZSt9terminatev"};
constexpr std::array<std::string_view, 4> streams = {"_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt3cin"};

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}
constexpr std::size_t longest = std::max(std::ranges::max(heart, {}, &std::string_view::size).size(),
                                         std::ranges::max(streams, {}, &std::string_view::size).size());

struct Exported {
  std::uint32_t count = 0;
  bool heart = false;
  std::vector<std::string> examples;  // core functions first
};

// any_code: the file defines strong functions of the runtime in addition to its core and streams.
Exported look(const DynamicFacts& dynamic, bool any_code) {
  Exported seen;
  std::vector<std::string> rest;
  for (const Export& symbol : dynamic.exports) {
    // templates and inline functions are weak in every file that uses them
    if (symbol.binding != Binding::Global) continue;
    if (!any_code && symbol.name.size() > longest) continue;
    const bool core = is_one_of(heart, symbol.name);
    if (!core && !is_one_of(streams, symbol.name) && !(any_code && is_runtime_code(symbol.name))) continue;
    ++seen.count;
    seen.heart = seen.heart || core;
    if (core && seen.examples.size() < 4) seen.examples.emplace_back(symbol.name);
    if (!core && rest.size() < 4) rest.emplace_back(symbol.name);
  }
  seen.examples.insert(seen.examples.end(), rest.begin(), rest.end());
  return seen;
}

// libc++, libunwind and similar libraries are meant to export their symbols.
bool is_runtime(const WheelView& view, ElfIndex index, const ElfMember& elf) {
  for (const std::string_view name : {elf.facts.dynamic->soname.value_or(""), path_of(view, index)}) {
    const std::string_view base = base_name(name);
    if (toolchain_of(base) != Toolchain::None) return true;
    for (const std::string_view stem : {"libstdc++", "libgcc_s", "libc++", "libunwind", "libsupc++", "libcxx"})
      if (base.starts_with(stem)) return true;
  }
  return false;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || std::holds_alternative<Program>(elf.role) || is_runtime(view, index, elf)) return;
    const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
    const Exported seen = look(*elf.facts.dynamic, abi.runtime_code > 0);
    if (seen.count == 0) return;
    const bool parts = abi.runtime == CxxRuntime::Hybrid && !seen.heart;
    const bool libcxx = abi.runtime == CxxRuntime::StaticLibcxx;
    emit(
        {.place = AtElf{index},
         .message = fmt::format("exports {} of the C++ runtime that is linked into it", count_of(seen.count, "symbol")),
         .evidence = {{"symbols", list_of(seen.examples)}, {"runtime", std::string(name_of(abi.runtime))}},
         .fix = parts    ? "link with -Wl,--exclude-libs,libstdc++_nonshared.a"
                : libcxx ? "link with -Wl,--exclude-libs,libc++.a:libc++abi.a:libunwind.a"
                         : "link with -Wl,--exclude-libs,libstdc++.a:libgcc.a:libgcc_eh.a",
         .severity = parts ? std::optional(Severity::Info) : std::nullopt,
         .confidence = {}});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC207",
    .name = "cxx-runtime-exported",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::cxx_runtime_exported
