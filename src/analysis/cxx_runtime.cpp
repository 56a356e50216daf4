#include "analysis/cxx_runtime.h"

#include <algorithm>
#include <array>

#include "mangling/cxx_name.h"

namespace wheelcheck::analysis {
namespace {

template <std::size_t n>
bool is_one_of(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// libstdc++ alone calls glibc's locale functions by their reserved names (config/locale/gnu/c++locale_internal.h).
constexpr std::array<std::string_view, 10> gnu_locale = {
    "__wcsftime_l", "__nl_langinfo_l", "__iswctype_l", "__newlocale", "__uselocale",
    "__wctype_l",   "__strxfrm_l",     "__wcsxfrm_l",  "__duplocale", "__wcscoll_l"};
// What libc++'s facets call (src/locale.cpp); hardly a program calls half of them.
constexpr std::array<std::string_view, 10> llvm_locale = {"catopen",    "catgets",    "catclose",   "iswblank_l",
                                                          "iswcntrl_l", "strtoll_l",  "strtoull_l", "wcsxfrm_l",
                                                          "wcscoll_l",  "iswxdigit_l"};
constexpr std::uint32_t enough_locale = 5;
// The heart of libsupc++ and libc++abi (Itanium C++ ABI: Exception Handling).
constexpr std::array<std::string_view, 7> core = {"__cxa_throw",      "__cxa_begin_catch", "__cxa_allocate_exception",
                                                  "__cxa_rethrow",    "__cxa_end_catch",   "__gxx_personality_v0",
                                                  "__cxa_get_globals"};

// What libstdc++'s std::logic_error and std::runtime_error, which hold an old string whatever the ABI, need of it
// (src/c++11/cow-stdexcept.cc). Code of one's own destroys its strings as well, at least where an exception passes.
constexpr std::array<std::string_view, 4> makes_old = {"_ZNSsC1EPKcmRKSaIcE", "_ZNSsC1EPKcRKSaIcE", "_ZNSsC1ERKSs",
                                                       "_ZNSs4_Rep20_S_empty_rep_storageE"};
constexpr std::array<std::string_view, 4> destroys_old = {"_ZNSs4_Rep10_M_destroyERKSaIcE",
                                                          "_ZNSs4_Rep10_M_disposeERKSaIcE", "_ZNSsD1Ev", "_ZNSsD2Ev"};

bool is_library(std::string_view name, std::string_view stem) {
  if (name.rfind('/') != name.npos) name.remove_prefix(name.rfind('/') + 1);
  if (!name.starts_with(stem)) return false;
  name.remove_prefix(stem.size());
  return name.starts_with(".so") || name.starts_with('-');  // as named, or bundled: libstdc++-1a2b3c4d.so.6.0.28
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
    if (is_one_of(gnu_locale, name)) gnu_locale_.add(name);
    if (is_one_of(llvm_locale, name)) llvm_locale_.add(name);
    // Called by __cxa_rethrow of libsupc++ and by nothing else that a wheel holds.
    if (name == "_Unwind_Resume_or_Rethrow") rethrow_.add(name);
    return false;
  }
  any_cxx_ = true;
  if (name == "_ZTINSt6thread6_StateE") thread_base_ = true;
  if (name.starts_with("_ZNSs")) {
    if (is_one_of(makes_old, name)) makes_old_.add(name);
    if (is_one_of(destroys_old, name)) destroys_old_ = true;
  }
  if (!llvm_names_ && cxx_scope(name) == CxxScope::Libcxx) llvm_names_ = true;
  return true;
}

bool RuntimeSeen::exported(const Export& symbol) {
  const std::string_view name = symbol.name;
  if (!is_cxx_name(name)) {
    if (is_one_of(core, name)) core_.add(name);
    return false;
  }
  any_cxx_ = true;
  if (name == "_ZTINSt6thread6_StateE") thread_base_ = true;
  if (name.starts_with("_ZTINSt6thread11_State_implI")) thread_state_.add(name);
  const CxxScope scope = cxx_scope(name);
  if (scope == CxxScope::Libcxx) llvm_names_ = true;
  // A template or an inline function is weak wherever it is used; only the library's own code is strong.
  if (scope == CxxScope::User || symbol.binding != Binding::Global || !is_runtime_code(name)) return true;
  (scope == CxxScope::Libcxx ? llvm_code_ : gnu_code_).add(name);
  return true;
}

CxxRuntime RuntimeSeen::decide(const DynamicFacts& dynamic, std::vector<std::string_view>& evidence) const {
  const auto needs = [&](auto test) {
    const auto found = std::ranges::find_if(dynamic.needed, test);
    if (found != dynamic.needed.end()) evidence.push_back(*found);
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
    // The type of a thread's function derives from one that libstdc++ has since GCC 5; where that is neither imported
    // nor exported, it is inside, hidden.
    if (thread_state_.count > 0 && !thread_base_) return because(thread_state_, CxxRuntime::Hybrid);
    if (keeps_old_strings()) return because(makes_old_, CxxRuntime::Hybrid);
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

}  // namespace wheelcheck::analysis
