// The program as a whole: its commands, its exit codes, and the parser of its command line.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <span>
#include <string_view>

#include "cli/commands.h"
#include "cli/options.h"

namespace wheelcheck::cli {

struct ExitCode {
  int code;
  std::string_view meaning;
};

std::span<const Command* const> all_commands();
std::span<const ExitCode> all_exit_codes();
const Command* find_command(std::string_view word);  // null if there is no such command

// A parser with the commands and their summaries. Command::fill adds the options of a command.
std::unique_ptr<CLI::App> make_program(std::span<const Command* const> offered = all_commands());

// Adds the command's options to the parser. An option that is a list takes one value each time, so that in `--ignore
// WC604 a.whl` the second word is a wheel.
Run add_options(const Command& command, CLI::App& program);

// Enables the sandbox after the inputs are opened and before they are read.

// Sets the callbacks of Settings for it. `options` must stay at its address until the end of the run.
void enter_sandbox_once_open(Options& options);

// Called once, before anything is opened.
void prepare_process();

}  // namespace wheelcheck::cli
