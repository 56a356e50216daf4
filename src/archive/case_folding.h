// File names as a file system sees them that tells neither case nor ways to write an accent apart.
#pragma once

#include <string>
#include <string_view>

namespace wheelcheck::archive {

// Two names that give the same text are one file on such a system. `text` is UTF-8.
std::string fold(std::string_view text);

}  // namespace wheelcheck::archive
