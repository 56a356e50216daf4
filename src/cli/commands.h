// One subcommand a file: its name, its options and what to run.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace wheelcheck::cli {

using Run = std::function<int()>;  // gives the exit code

struct Command {
  const char* name;
  const char* summary;
  // Adds its options, and says what to run when they are parsed. Those of all commands would take longer than to check
  // a small wheel: they are added to the command that is asked for alone.
  Run (*fill)(CLI::App& app);
};

extern const Command check_command, judge_command, show_command, why_command, symbols_command, tree_command,
    explain_command, conflicts_command, diff_command, runs_on_command, interfaces_command, rules_command,
    schema_command, check_config_command, policy_command, completions_command, man_command;

}  // namespace wheelcheck::cli
