// Texts that Python code runs and that this reader does not see.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::python {

// True if exec() or eval() gets a text of the source that contains a loading word, or one that is decoded from a
// literal: base64, compressed, as hex digits, marshalled or in ROT13.
bool runs_hidden_text(std::string_view source);

// Replaces the escape sequences of ASCII letters, digits and "_-./" by these characters, as in a string that is not
// raw: \x66, \146, \u0066, \N{LATIN SMALL LETTER F}. Returns the text itself if it has none, else what is in `buffer`.
std::string_view with_plain_letters(std::string_view source, std::string& buffer);

}  // namespace wheelcheck::python
