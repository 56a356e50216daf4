// Names as the author wrote them.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::elf {

// Itanium C++ and Rust names demangled; any other name, and one of more than longest_mangled bytes, as it stands. A
// name comes from a stranger: what LLVM's demangler makes of it may be a thousand times as long, and its work grows
// with that.
inline constexpr std::size_t longest_mangled = 16 * 1024;
std::string demangle(std::string_view symbol);

}  // namespace wheelcheck::elf
