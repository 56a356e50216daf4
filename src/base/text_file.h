// Reads small text files that a user names: configuration, policies, data tables, load plans. The whole file is read
// into a string, with a limit on its size.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace wheelcheck {

// Reads the bytes of a file or pipe, at most `largest`. On failure the error is a phrase that follows the file's name
// and a colon in a message. A file that is longer than `largest`, or that never ends, is an error.
std::expected<std::string, std::string> read_text_file(const std::string& path, std::uint64_t largest);

}  // namespace wheelcheck
