// The text of --help: 80 columns, frequent options first, limits last, examples at the end.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>

namespace wheelcheck::cli {

// For the program; its commands inherit it.
std::shared_ptr<CLI::FormatterBase> help_formatter();

}  // namespace wheelcheck::cli
