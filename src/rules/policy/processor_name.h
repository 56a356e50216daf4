// Files that are named after a processor.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "base/text.h"

namespace wheelcheck::rules {

// True for files that are built for one kind of processor each, of which the code loads the matching one.
inline bool is_named_for_a_processor(std::string_view path) {
  const std::string name = lower(path);
  static constexpr std::array<std::string_view, 8> words{"avx",      "sse4",     "haswell", "skylake",
                                                         "x86-64-v", "x86_64_v", "_v3",     "_v4"};
  return std::ranges::any_of(words, [&](std::string_view word) { return name.find(word) != std::string::npos; });
}

}  // namespace wheelcheck::rules
