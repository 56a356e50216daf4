// The program as a whole: its commands, what its exit codes mean, and its tree of words.
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
const Command* find_command(std::string_view word);  // null where there is none of that name

// The commands by name and summary; their options are for Command::fill to add.
std::unique_ptr<CLI::App> make_program(std::span<const Command* const> offered = all_commands());

// Adds the command's options to the program; of a list, each takes one word, so that `--ignore WC604 a.whl` has a
// wheel.
Run add_options(const Command& command, CLI::App& program);

// Between opening and reading: the sandbox is switched on.

// Sets what Settings says of opening. `options` stays where it is until the run is over.
void enter_sandbox_once_open(Options& options);

}  // namespace wheelcheck::cli
