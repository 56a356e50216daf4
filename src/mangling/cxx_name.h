// Properties of a C++ symbol that its mangled name shows without demangling (Itanium C++ ABI, section 5.1): which
// std::string its types use, and whether it belongs to the C++ runtime. The time is linear in the name, without
// allocation or recursion.
#pragma once

#include <cstddef>
#include <string_view>

namespace wheelcheck {

// True if the symbol starts with "_Z" and is not a legacy Rust name, which ends with a hash: ...17h0123456789abcdefE.
bool is_cxx_name(std::string_view symbol);

// The two std::string types of libstdc++: that of GCC before 5, and std::__cxx11 (libstdc++ manual, "Dual ABI"). Other
// types that exist in both ABIs count as well: std::list, the string streams, functions with the ABI tag `cxx11`.
struct StringNames {
  bool old_abi = false, new_abi = false;
};
StringNames string_names(std::string_view symbol);

enum class CxxScope {
  User,       // everything else
  Libstdcxx,  // std, __gnu_cxx, __cxxabiv1; without an inline namespace, the libraries cannot be distinguished
  Libcxx,     // std::__1, or the equivalent namespace of Android or Chromium
};
// The outermost scope. A vtable, thunk or guard variable has the scope of its class, function or variable.
CxxScope cxx_scope(std::string_view symbol);
// True for a member of a standard library class that is not a template: only the library itself defines it.
bool is_runtime_code(std::string_view symbol);
// The part of the name that identifies the function or variable, without the parameter types. It is equal for functions
// that differ only in the ABI of a parameter. "" if the name cannot be parsed.
std::string_view qualified_part(std::string_view symbol);

}  // namespace wheelcheck
