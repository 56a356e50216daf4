// What can be told of a C++ symbol from its mangled name without demangling it (Itanium C++ ABI, section 5.1): which
// std::string its types name, whether it belongs to the C++ runtime. Linear in the name, no allocation, no recursion.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheelcheck {

// Starts with "_Z" and is no name of Rust's older mangling, which ends with a hash: ...17h0123456789abcdefE.
bool is_cxx_name(std::string_view symbol);

// The two std::string of libstdc++: the one of GCC before 5, and std::__cxx11 (libstdc++ manual, "Dual ABI"). Other
// types that exist twice count likewise: std::list, the string streams, functions with the ABI tag `cxx11`.
struct StringNames {
  bool old_abi = false, new_abi = false;
};
StringNames string_names(std::string_view symbol);

enum class CxxScope {
  User,       // anything but the rest
  Libstdcxx,  // std, __gnu_cxx, __cxxabiv1; without an inline namespace nothing tells one library from another
  Libcxx,     // std::__1, or the same under the name that Android or Chromium give it
};
// Of the outermost scope; a vtable, a thunk or a guard has the scope of what it is made for.
CxxScope cxx_scope(std::string_view symbol);
// A member of a class of the standard library that is no template: its code exists in one place only, the library.
bool is_runtime_code(std::string_view symbol);
// The part of the name that names the function or variable, without the types of its parameters: equal for functions
// that differ in the ABI of a parameter alone. "" where the name cannot be read.
std::string_view qualified_part(std::string_view symbol);

}  // namespace wheelcheck
