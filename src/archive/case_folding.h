// File names as compared by file systems that ignore case and Unicode normalization, such as the default ones of macOS.
// Two members whose names differ only so overwrite each other there.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::archive {

// Two names with the same result are the same file on such a system. `text` is UTF-8.
std::string fold(std::string_view text);

}  // namespace wheelcheck::archive
