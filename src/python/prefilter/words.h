// The words without which no call that opens a library can be written.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>

namespace wheelcheck::python {

inline constexpr auto loading_words = std::to_array<std::string_view>(
    {"setdlopenflags", "CDLL", "PyDLL", "LoadLibrary", "cdll", "pydll", "dlopen", "find_library"});

// Whether it is one of them.
inline bool is_loading_word(std::string_view name) {
  if (name.size() < 4 || name.size() > 14) return false;
  return name == "_dlopen" || std::ranges::find(loading_words, name) != loading_words.end();
}

// Whether one stands anywhere in it.
bool holds_loading_word(std::string_view text);

// Whether "setdlopenflags" does.
bool holds_flags_word(std::string_view text);

}  // namespace wheelcheck::python
