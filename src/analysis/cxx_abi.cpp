// The C++ ABI of one file: which std::string its symbols use, which runtime it uses, and which compilers made it.

#include "analysis/cxx_abi.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "analysis/internal.h"
#include "base/text.h"
#include "mangling/cxx_name.h"

namespace wheelcheck::analysis {

namespace {

constexpr std::size_t max_examples = 5;
// The parts of libstdc++ that handle both strings import a few functions of the old one; more imports are the file's
// own.
constexpr std::uint32_t imports_of_parts = 10;

StringAbi string_abi(std::uint32_t old_abi, std::uint32_t new_abi) {
  if (old_abi == 0) return new_abi == 0 ? StringAbi::None : StringAbi::New;
  return new_abi == 0 ? StringAbi::Old : StringAbi::Both;
}

struct Examples {
  std::vector<std::string_view> own, imported;
  void add(std::vector<std::string_view>& list, std::string_view name) {
    if (list.size() < max_examples) list.push_back(name);
  }
  std::vector<std::string> all() const {
    std::vector<std::string> result(own.begin(), own.end());
    for (const std::string_view name : imported)
      if (result.size() < max_examples) result.emplace_back(name);
    return result;
  }
};

bool names_cxx11(std::string_view name) {
  constexpr std::array<std::string_view, 6> types = {"St10unique_ptr",    "St10shared_ptr", "St16initializer_list",
                                                     "St13unordered_map", "St8functionI",   "NSt6thread"};
  return std::ranges::any_of(types, [&](std::string_view type) { return name.find(type) != name.npos; });
}
bool has_early_cxx11(const DynamicFacts& dynamic, const std::vector<Compiler>& compilers) {
  if (!only_gcc_before_5(compilers)) return false;
  return std::ranges::any_of(dynamic.exports,
                             [](const Export& e) { return is_cxx_name(e.name) && names_cxx11(e.name); }) ||
         std::ranges::any_of(dynamic.imports,
                             [](const Import& i) { return is_cxx_name(i.name) && names_cxx11(i.name); });
}

StringAbi imported_abi(const CxxAbi& abi, bool uses_old_strings) {
  const bool any_new = abi.imported_new + abi.defined_new > 0;
  const bool of_parts = abi.runtime == CxxRuntime::Hybrid && abi.own_old == 0 && abi.imported_old < imports_of_parts &&
                        (any_new || uses_old_strings);
  return string_abi(of_parts ? 0 : abi.imported_old, abi.imported_new);
}

}  // namespace

struct CxxAbiReader::State {
  CxxAbi abi;
  RuntimeSeen runtime;
  Examples old_abi, new_abi;
};

CxxAbiReader::CxxAbiReader() : state_(std::make_unique<State>()) {}
CxxAbiReader::~CxxAbiReader() = default;

void CxxAbiReader::add(const Export& symbol) {
  CxxAbi& abi = state_->abi;
  if (!state_->runtime.exported(symbol)) return;
  const StringNames names = string_names(symbol.name);
  if (!names.old_abi && !names.new_abi) return;
  const bool own = cxx_scope(symbol.name) == CxxScope::User;
  abi.defined_old += names.old_abi;
  abi.defined_new += names.new_abi;
  if (!own) return;
  abi.own_old += names.old_abi;
  abi.own_new += names.new_abi;
  if (names.old_abi) state_->old_abi.add(state_->old_abi.own, symbol.name);
  if (names.new_abi) state_->new_abi.add(state_->new_abi.own, symbol.name);
}

void CxxAbiReader::add(const Import& symbol) {
  CxxAbi& abi = state_->abi;
  if (!state_->runtime.import(symbol.name)) return;
  const StringNames names = string_names(symbol.name);
  abi.imported_old += names.old_abi;
  abi.imported_new += names.new_abi;
  if (names.old_abi) state_->old_abi.add(state_->old_abi.imported, symbol.name);
  if (names.new_abi) state_->new_abi.add(state_->new_abi.imported, symbol.name);
}

CxxAbi CxxAbiReader::abi_of(const ElfMember& file) const {
  CxxAbi abi = state_->abi;
  abi.compilers = compilers(file.facts.sections.comments);
  if (!file.facts.dynamic) return abi;
  const DynamicFacts& dynamic = *file.facts.dynamic;
  abi.runtime_code = state_->runtime.runtime_code();
  abi.runtime = state_->runtime.decide(dynamic, abi.runtime_evidence);
  abi.defined = string_abi(abi.own_old, abi.own_new);
  abi.imported = imported_abi(abi, state_->runtime.uses_old_strings());
  abi.examples_old = state_->old_abi.all();
  abi.examples_new = state_->new_abi.all();
  abi.early_cxx11 = has_early_cxx11(dynamic, abi.compilers);
  return abi;
}

namespace {

// Only libstdc++ calls glibc's locale functions by their reserved names (config/locale/gnu/c++locale_internal.h).
constexpr std::array<std::string_view, 10> gnu_locale = {
    "__wcsftime_l", "__nl_langinfo_l", "__iswctype_l", "__newlocale", "__uselocale",
    "__wctype_l",   "__strxfrm_l",     "__wcsxfrm_l",  "__duplocale", "__wcscoll_l"};
// Functions that libc++'s facets call (src/locale.cpp); other programs rarely call half of them.
constexpr std::array<std::string_view, 10> llvm_locale = {"catopen",    "catgets",    "catclose",   "iswblank_l",
                                                          "iswcntrl_l", "strtoll_l",  "strtoull_l", "wcsxfrm_l",
                                                          "wcscoll_l",  "iswxdigit_l"};
constexpr std::uint32_t enough_locale = 5;
// The core functions of libsupc++ and libc++abi (Itanium C++ ABI: Exception Handling).
constexpr std::array<std::string_view, 7> core = {"__cxa_throw",      "__cxa_begin_catch", "__cxa_allocate_exception",
                                                  "__cxa_rethrow",    "__cxa_end_catch",   "__gxx_personality_v0",
                                                  "__cxa_get_globals"};

// The functions that libstdc++'s std::logic_error and std::runtime_error use: both contain an old string in either ABI
// (src/c++11/cow-stdexcept.cc). A program's own code also destroys its strings, at least where an exception can pass.
constexpr std::array<std::string_view, 4> makes_old = {"_ZNSsC1EPKcmRKSaIcE", "_ZNSsC1EPKcRKSaIcE", "_ZNSsC1ERKSs",
                                                       "_ZNSs4_Rep20_S_empty_rep_storageE"};
constexpr std::array<std::string_view, 4> destroys_old = {"_ZNSs4_Rep10_M_destroyERKSaIcE",
                                                          "_ZNSs4_Rep10_M_disposeERKSaIcE", "_ZNSsD1Ev", "_ZNSsD2Ev"};

bool is_library(std::string_view name, std::string_view stem) {
  if (name.rfind('/') != name.npos) name.remove_prefix(name.rfind('/') + 1);
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  return name.starts_with(".so") || name.starts_with('-');  // plain, or bundled: libstdc++-1a2b3c4d.so.6.0.28
}
bool is_libcxx(std::string_view name) {
  return is_library(name, "libc++") || is_library(name, "libc++abi") || is_library(name, "libc++_shared");
}

}  // namespace

void RuntimeSeen::Marks::add(std::string_view name) {
  ++count;
  if (examples.size() < 3) examples.push_back(name);
}

bool RuntimeSeen::import(std::string_view name) {
  if (!is_cxx_name(name)) {
    if (contains(gnu_locale, name)) gnu_locale_.add(name);
    if (contains(llvm_locale, name)) llvm_locale_.add(name);
    // Only __cxa_rethrow of libsupc++ calls it.
    if (name == "_Unwind_Resume_or_Rethrow") rethrow_.add(name);
    return false;
  }
  any_cxx_ = true;
  if (name == "_ZTINSt6thread6_StateE") thread_base_ = true;
  if (name.starts_with("_ZNSs")) {
    if (contains(makes_old, name)) makes_old_.add(name);
    if (contains(destroys_old, name)) destroys_old_ = true;
  }
  if (!llvm_names_ && cxx_scope(name) == CxxScope::Libcxx) llvm_names_ = true;
  return true;
}

bool RuntimeSeen::exported(const Export& symbol) {
  const std::string_view name = symbol.name;
  if (!is_cxx_name(name)) {
    if (contains(core, name)) core_.add(name);
    return false;
  }
  any_cxx_ = true;
  if (name == "_ZTINSt6thread6_StateE") thread_base_ = true;
  if (name.starts_with("_ZTINSt6thread11_State_implI")) thread_state_.add(name);
  const CxxScope scope = cxx_scope(name);
  if (scope == CxxScope::Libcxx) llvm_names_ = true;
  // Templates and inline functions are weak in every file that uses them; only the library's own code is strong.
  if (scope == CxxScope::User || symbol.binding != Binding::Global || !is_runtime_code(name)) return true;
  (scope == CxxScope::Libcxx ? llvm_code_ : gnu_code_).add(name);
  return true;
}

CxxRuntime RuntimeSeen::decide(const DynamicFacts& dynamic, std::vector<std::string>& evidence) const {
  const auto needs = [&](auto test) {
    const auto found = std::ranges::find_if(dynamic.needed, test);
    if (found != dynamic.needed.end()) evidence.emplace_back(*found);
    return found != dynamic.needed.end();
  };
  const auto because = [&](const Marks& marks, CxxRuntime runtime) {
    evidence.insert(evidence.end(), marks.examples.begin(), marks.examples.end());
    if (evidence.size() > 3) evidence.resize(3);
    return runtime;
  };
  const std::string_view self = dynamic.soname.value_or("");
  if (is_library(self, "libstdc++")) return CxxRuntime::Libstdcxx;
  if (is_libcxx(self)) return CxxRuntime::Libcxx;
  if (needs([](std::string_view name) { return is_library(name, "libstdc++"); })) {
    if (gnu_code_.count > 0) return because(gnu_code_, CxxRuntime::Hybrid);
    // Since GCC 5, the type of a thread's function derives from std::thread::_State of libstdc++. If that is neither
    // imported nor exported, a hidden copy of libstdc++ is inside the file.
    if (thread_state_.count > 0 && !thread_base_) return because(thread_state_, CxxRuntime::Hybrid);
    if (uses_old_strings()) return because(makes_old_, CxxRuntime::Hybrid);
    return CxxRuntime::Libstdcxx;
  }
  if (needs(is_libcxx)) return CxxRuntime::Libcxx;
  if (llvm_code_.count > 0) return because(llvm_code_, CxxRuntime::StaticLibcxx);
  if (core_.count > 0 && llvm_names_) return because(core_, CxxRuntime::StaticLibcxx);
  if (core_.count > 0) return because(core_, CxxRuntime::StaticLibstdcxx);
  if (gnu_code_.count > 0) return because(gnu_code_, CxxRuntime::StaticLibstdcxx);
  if (gnu_locale_.count >= enough_locale) return because(gnu_locale_, CxxRuntime::StaticLibstdcxx);
  if (rethrow_.count > 0) return because(rethrow_, CxxRuntime::StaticLibstdcxx);
  if (llvm_locale_.count >= enough_locale) return because(llvm_locale_, CxxRuntime::StaticLibcxx);
  return any_cxx_ ? CxxRuntime::Undecided : CxxRuntime::None;
}

namespace {

struct Tool {
  std::string_view name, mark;  // the version follows the mark in the comment
};
// The first match applies: compilers that are based on clang also contain "clang".
constexpr Tool tools[] = {
    {"LLD", "Linker: LLD "},
    {"mold", "mold "},
    {"GCC", "GCC: ("},
    {"Intel oneAPI", "oneAPI DPC++/C++ Compiler "},
    {"Intel C++", "Intel(R) C"},
    {"rustc", "rustc version "},
    {"clang", "clang version "},
    {"NVIDIA HPC", "nvc++ "},
    {"NVIDIA CUDA", "nvcc "},
    {"zig", "zig "},
    {"GHC", "GHC "},
};

// The first run of digits and dots at the start of a word, after `at`.
std::string_view version_behind(std::string_view text, std::size_t at) {
  while (at < text.size()) {
    const bool starts = is_digit(text[at]) && (at == 0 || text[at - 1] == ' ');
    if (starts) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789.", at), text.size());
      return text.substr(at, end - at);
    }
    ++at;
  }
  return {};
}

// "GCC: (Debian 12.2.0-14) 12.2.0": the brackets contain the distributor and its own version.
std::size_t behind_brackets(std::string_view text, std::size_t at) {
  int open = 1;
  for (at += 1; at < text.size() && open > 0; ++at) {
    if (text[at] == '(') ++open;
    if (text[at] == ')') --open;
  }
  return at;
}

Compiler compiler_of(std::string_view comment) {
  for (const Tool& tool : tools) {
    std::size_t at = comment.find(tool.mark);
    if (at == comment.npos) continue;
    at += tool.mark.size();
    if (tool.name == "GCC") at = behind_brackets(comment, at - 1);
    return {std::string(tool.name), std::string(version_behind(comment, at)), std::string(comment)};
  }
  return {.name = "other", .version = {}, .text = std::string(comment)};
}

}  // namespace

std::vector<Compiler> compilers(std::span<const std::string_view> comments) {
  std::vector<Compiler> found;
  for (const std::string_view comment : comments)
    if (!comment.empty()) found.push_back(compiler_of(comment));
  const auto by = [](const Compiler& c) { return std::tie(c.name, c.version, c.text); };
  std::ranges::sort(found, {}, by);
  const auto same = [](const Compiler& a, const Compiler& b) {
    return a.name == b.name && a.version == b.version && a.name != "other";
  };
  const auto again = std::ranges::unique(found, same);
  found.erase(again.begin(), again.end());
  return found;
}

bool only_gcc_before_5(std::span<const Compiler> compilers) {
  bool any = false;
  for (const Compiler& compiler : compilers) {
    if (compiler.name == "clang" || compiler.name.starts_with("Intel")) return false;
    if (compiler.name != "GCC") continue;
    any = true;
    std::uint64_t major = 0;
    const std::string_view version = compiler.version;
    if (!parse_number(version.substr(0, version.find('.')), major) || major >= 5) return false;
  }
  return any;
}

}  // namespace wheelcheck::analysis
