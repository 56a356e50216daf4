// Files that a user names: configuration, policies, tables of knowledge, plans.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

namespace wheelcheck {

// The bytes of a file or pipe, at most `largest` of them. Error: what is wrong with it, to stand after its name and a
// colon. A file that has no end is given up at `largest`.
std::expected<std::string, std::string> read_text_file(const std::string& path, std::uint64_t largest);

}  // namespace wheelcheck
