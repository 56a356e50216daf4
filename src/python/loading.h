// What of a file can matter to the calls that open libraries. Parsing costs far more than inflating, and most of the
// code of a file with such a call has nothing to do with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck::python {

// The words without which no such call can be written; a longer name may hold one.
bool is_loading_word(std::string_view name);

// The source without comments, documentation and the bodies of functions that have nothing to do with loading; lines
// keep their numbers. What stays are functions that hold such a word, those that use them or give them what they use,
// as far as names tell, and those that importing the file may run. Nothing where no such word stands outside of
// comments and documentation. Text that cannot be split into lines and strings comes back as it is.
std::optional<std::string> loading_code(std::string_view source);

}  // namespace wheelcheck::python
