// Names as the author wrote them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace wheelcheck {

// C++ names (Itanium C++ ABI) and Rust names demangled; any other name as it stands. Names come from strangers, and in
// 300 bytes one can say the same thing 2^30 times: a name that is longer than longest_mangled, or that would be written
// in more than about longest_demangled bytes, stays as it is. LLVM's parser recurses, for some letters with each byte;
// a kilobyte of them fits the stack of any thread.
inline constexpr std::size_t longest_mangled = 1024, longest_demangled = std::size_t{4} << 20;
std::string demangle(std::string_view symbol);

}  // namespace wheelcheck
