// The word that was probably meant by a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace wheelcheck {

// The word with the fewest edits (insertion, deletion, replacement, exchange of neighbours) to `word`, at most one for
// three letters; "" where none is that close.
std::string closest(std::string_view word, std::span<const std::string> words);

}  // namespace wheelcheck
