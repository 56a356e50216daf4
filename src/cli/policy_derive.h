// The option --root LABEL=PATH, which names root file systems.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "wheelcheck/derive.h"

namespace wheelcheck::cli {

CLI::Option& add_roots_option(CLI::App& app, std::vector<std::string>& words);

// Reads the root file systems, in the order of their first occurrence. Paths with the same label form one root.
Result<std::vector<Root>> read_roots(const std::vector<std::string>& words);

}  // namespace wheelcheck::cli
