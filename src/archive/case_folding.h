// File names as a file system compares them that ignores case and the ways to write an accent (macOS, Windows): Unicode
// case folding, then canonical decomposition, by utf8proc.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::archive {

// Two names with the same result are one file on such a system. Text that is not UTF-8 is returned as it is.
std::string fold(std::string_view text);

// The text in the normal form NFKC, in which Python compares names: `ＣＤＬＬ` is `CDLL`.
std::string compatible_form(std::string_view text);

}  // namespace wheelcheck::archive
