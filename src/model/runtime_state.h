// State of the C++ runtime that must exist once in a process, and that a file can provide in place of libstdc++.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

#include "wheelcheck/elf.h"

namespace wheelcheck {

// Functions of std::random_device that libstdc++ calls from another one. Its objects have new members since GCC 9
// (bits/random.h), so that all functions that use one object must be of one copy. What a wheel calls itself is bound as
// a whole; only these calls lead from libstdc++ to a copy (libstdc++-v3/src/c++11/random.cc, GCC 9 to 14). The last one
// makes a new string of an old one.
struct InnerCall {
  std::string_view caller, callee;  // starts of mangled names
};
inline constexpr auto inner_calls = std::to_array<InnerCall>({
    {"_ZNSt13random_device14_M_init_pretr1E", "_ZNSt13random_device7_M_initE"},
    {"_ZNSt13random_device16_M_getval_pretr1E", "_ZNSt13random_device9_M_getvalE"},
    {"_ZNSt13random_device7_M_initERKSs", "_ZNSt13random_device7_M_initE"},
});

// The thread-local variable, or the start of the function's name; "" for other symbols. Other variables may be
// constants, which are equal in all copies (std::__detail::__prime_list).
inline std::string_view state_of(const Export& symbol) {
  if (symbol.kind == SymbolKind::Tls) return symbol.name;
  const auto call =
      std::ranges::find_if(inner_calls, [&](const InnerCall& each) { return symbol.name.starts_with(each.callee); });
  return call != inner_calls.end() ? call->callee : std::string_view();
}

}  // namespace wheelcheck
