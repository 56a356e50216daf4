// Exports of allocators and of C++ runtimes, to which other files of the process are bound.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/text.h"
#include "mangling/cxx_name.h"
#include "rules/common.h"
#include "rules/cxxabi/toolchain.h"
#include "rules/symbols/global_scope.h"

// WC206: a library of the wheel exports malloc or operator new to the process.
namespace wheelcheck::rules::allocator_exported {
namespace {

constexpr std::string_view malloc_family[] = {"aligned_alloc",      "calloc",   "cfree",          "free",    "malloc",
                                              "malloc_usable_size", "memalign", "posix_memalign", "pvalloc", "realloc",
                                              "reallocarray",       "valloc"};

// operator new, new[], delete, delete[] with any signature: _Znwm, _ZdlPvSt11align_val_t.
bool is_operator_new_or_delete(std::string_view name) {
  if (name.size() < 5 || (name[2] != 'n' && name[2] != 'd')) return false;  // one letter excludes most names
  for (const std::string_view start : {"_Znwm", "_Znwj", "_Znam", "_Znaj", "_ZdlPv", "_ZdaPv"})
    if (name.starts_with(start)) return true;
  return false;
}

bool may_be_an_allocator(const Export& symbol) {
  constexpr std::size_t longest = 64;  // the longest are operators with an alignment and std::nothrow_t
  return symbol.name.size() <= longest && symbol.binding == Binding::Global && symbol.kind != SymbolKind::Object &&
         symbol.kind != SymbolKind::Tls;
}

// A library that replaces operator new defines this one. A file that defines only others has them from the static part
// of libstdc++ in devtoolset (sized delete, aligned new), which calls the plain ones.
bool is_plain_new(std::string_view name) { return name == "_Znwm" || name == "_Znwj"; }

// A copy of libstdc++ or libc++ inside the file has its own operator new, which calls malloc and so replaces nothing.
// It is recognized by its exception functions.
bool holds_cxx_runtime(const DynamicFacts& dynamic) {
  return std::ranges::any_of(dynamic.exports, [](const Export& symbol) {  // sizes differ for nearly all names
    return symbol.name == "__cxa_throw" || symbol.name == "__cxa_allocate_exception";
  });
}
bool is_c_library(const DynamicFacts& dynamic) {
  return dynamic.soname && (dynamic.soname->starts_with("libc.so") || dynamic.soname->starts_with("ld-"));
}

std::vector<std::string> allocators_of(const DynamicFacts& dynamic) {
  std::vector<std::string> found, operators;
  std::ranges::for_each(dynamic.exports, [&](const Export& symbol) {
    if (!may_be_an_allocator(symbol)) return;
    if (is_operator_new_or_delete(symbol.name))
      operators.emplace_back(symbol.name);
    else if (!symbol.name.starts_with('_') && std::ranges::binary_search(malloc_family, symbol.name))
      found.emplace_back(symbol.name);
  });
  // A file that defines only reallocarray or the like, as libbsd does, calls the allocator of the process.
  constexpr std::string_view makers[] = {"calloc", "free", "malloc", "realloc"};
  const auto makes = [&](const std::string& name) { return std::ranges::find(makers, name) != std::end(makers); };
  if (std::ranges::none_of(found, makes)) found.clear();
  if (std::ranges::any_of(operators, is_plain_new) && !holds_cxx_runtime(dynamic))
    found.insert(found.end(), operators.begin(), operators.end());
  std::ranges::sort(found);
  found.erase(std::ranges::unique(found).begin(), found.end());
  return found;
}

void check(const WheelView& view, const Emit& emit) {
  std::vector<const PythonCall*> global;
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic || is_c_library(*elf.facts.dynamic)) return;
    const std::vector<std::string> found = allocators_of(*elf.facts.dynamic);
    if (found.empty()) return;
    std::vector<Evidence> evidence{{"symbols", list_of(found, shown_symbols)}};
    if (global.empty()) global = global_scope(view);
    const PythonCall* const call = global[index.value];
    if (call != nullptr) evidence.push_back({"made global by", call->text});
    emit({.place = AtElf{index},
          .message = fmt::format("exports {}{}", first_of(found), call != nullptr ? " to the whole process" : ""),
          .evidence = std::move(evidence),
          .fix = "give the allocator a prefix (jemalloc: --with-jemalloc-prefix=je_), or hide it: "
                 "-Wl,--version-script=FILE with local: *;",
          .severity = call != nullptr ? std::optional(Severity::Error) : std::nullopt});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC206",
    .name = "allocator-exported",
    .severity = Severity::Note,
    .check = check,
};

}  // namespace wheelcheck::rules::allocator_exported

// WC207: internal functions of a statically linked libstdc++, libc++ or libgcc are exported, so other files can bind to
// them.
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
    const bool core = contains(heart, symbol.name);
    if (!core && !contains(streams, symbol.name) && !(any_code && is_runtime_code(symbol.name))) continue;
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

// folly's __cxa_throw calls that of libstdc++, which dlsym(RTLD_NEXT) finds: no runtime is linked in.
bool interposes(const DynamicFacts& dynamic, const CxxAbi& abi) {
  return abi.runtime == CxxRuntime::Libstdcxx && abi.runtime_code == 0 &&
         std::ranges::find(dynamic.imports, "dlsym", &Import::name) != dynamic.imports.end();
}

void check(const WheelView& view, const Emit& emit) {
  // musl has no unique symbols, and modules are opened RTLD_LOCAL.
  const bool of_musl = claimed_libcs(view) == std::set{Libc::Musl};
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (!elf.facts.dynamic || std::holds_alternative<Program>(elf.role) || is_runtime(view, index, elf)) return;
    const CxxAbi& abi = view.analysis.elfs[index.value].cxx;
    if (interposes(*elf.facts.dynamic, abi)) return;
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
         .severity = parts || of_musl ? std::optional(Severity::Note) : std::nullopt,
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
