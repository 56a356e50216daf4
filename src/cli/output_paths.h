// Output files that are inputs of the same run, or that are named twice, are refused before anything is written.
#pragma once

#include <CLI/CLI.hpp>
#include <span>

#include "cli/inputs.h"
#include "cli/options.h"
#include "wheelcheck/result.h"

namespace wheelcheck::cli {

// Compares the files that the parsed options of a command write with those that they read. Nothing has been opened or
// created before.
Result<void> refuse_outputs(const CLI::App& command);
// The same for inputs that the command line does not name: lines of stdin, and a configuration file that was found.
Result<void> refuse_outputs(const Options& options, std::span<const Input> inputs);

}  // namespace wheelcheck::cli
