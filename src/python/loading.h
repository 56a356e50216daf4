// What of a file can matter to the calls that open libraries. Parsing costs twenty times what inflating does, and in a
// file with such a call three quarters of the code have nothing to do with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace wheelcheck::python {

// The words without which no such call can be written; a longer name may hold one.
bool is_loading_word(std::string_view name);

// The source without comments, documentation and the bodies of functions that neither hold such a word nor call, or are
// called by, one that does, nor set a name that it uses; lines keep their numbers. Nothing where no such word stands
// outside of comments and documentation. Text that cannot be split into lines and strings comes back as it is.
std::optional<std::string> loading_code(std::string_view source);

}  // namespace wheelcheck::python
