// Root file systems on the command line: --root LABEL=PATH.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "wheelcheck/derive.h"

namespace wheelcheck::cli {

CLI::Option& add_roots_option(CLI::App& app, std::vector<std::string>& words);

// Read, in the order in which they were first named; the paths of one label are one root.
Result<std::vector<Root>> read_roots(const std::vector<std::string>& words);

}  // namespace wheelcheck::cli
