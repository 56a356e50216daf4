// WC206: a library of the wheel exports malloc or operator new to the process.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "rules/common.h"

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

// The call in the wheel's Python code that opens this file with RTLD_GLOBAL and certainly or probably runs during
// import.
const PythonCall* made_global_by(const WheelView& view, ElfIndex elf) {
  const std::string_view path = path_of(view, elf);
  const std::string_view name = base_name(path);
  for (const PythonFile& file : view.wheel.python)
    for (const PythonCall& call : file.calls) {
      if (!call.global || call.reach == Reach::Possible || !call.library) continue;
      const std::string_view library = *call.library;
      if (glob_match(base_name(library), name)) return &call;
    }
  return nullptr;
}

void check(const WheelView& view, const Emit& emit) {
  for_each_distinct(view, [&](ElfIndex index, const ElfMember& elf) {
    if (elf.facts.kind != ElfKind::SharedObject || !elf.facts.dynamic || is_c_library(*elf.facts.dynamic)) return;
    const std::vector<std::string> found = allocators_of(*elf.facts.dynamic);
    if (found.empty()) return;
    std::vector<Evidence> evidence{{"symbols", list_of(found, shown_symbols)}};
    const PythonCall* const call = made_global_by(view, index);
    if (call != nullptr) evidence.push_back({"made global by", call->text});
    emit({.place = AtElf{index},
          .message = fmt::format("exports {} to the whole process", first_of(found)),
          .evidence = std::move(evidence),
          .fix = "give the allocator a prefix (jemalloc: --with-jemalloc-prefix=je_), or hide it: "
                 "-Wl,--version-script=FILE with local: *;",
          .severity = call != nullptr ? Severity::Error : Severity::Warning});
  });
}

}  // namespace

extern const Rule rule{
    .code = "WC206",
    .name = "allocator-exported",
    .severity = Severity::Warning,
    .check = check,
};

}  // namespace wheelcheck::rules::allocator_exported
