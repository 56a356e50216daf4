// Who compiled and linked a file, by what each tool writes into .comment.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "wheelcheck/analysis.h"

namespace wheelcheck::analysis {

// By name, then version; a tool of one version once.
std::vector<Compiler> compilers(std::span<const std::string_view> comments);
// All GCCs among them are older than 5, and there is one: since 5 there are two std::string.
bool only_gcc_before_5(std::span<const Compiler> compilers);

}  // namespace wheelcheck::analysis
