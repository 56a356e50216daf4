// Demangling of C++ and Rust symbol names.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelcheck {

// Demangles C++ names (Itanium C++ ABI) and Rust names; any other name is returned unchanged. Names are untrusted, and
// a name of 300 bytes can expand 2^30 times. A name longer than longest_mangled, or whose result would be longer than
// about longest_demangled bytes, is therefore returned unchanged. LLVM's parser recurses, for some letters at each
// byte; a recursion of 1024 levels fits the stack of any thread.
inline constexpr std::size_t longest_mangled = 1024, longest_demangled = std::size_t{4} << 20;
std::string demangle(std::string_view symbol);
// The same with the strings of libstdc++ under their short names: std::__cxx11::string, std::string (of the old ABI).
std::string demangle_briefly(std::string_view symbol);

}  // namespace wheelcheck
