// The subcommands. Each has a name, a summary, and a function that adds its options and returns the function that runs
// it.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace wheelcheck::cli {

using Run = std::function<int()>;  // returns the exit code

struct Command {
  const char* name;
  const char* summary;
  // Adds the command's options and returns the function to run after parsing. Adding the options of all commands takes
  // longer than checking a small wheel, so only the options of the chosen command are added.
  Run (*fill)(CLI::App& app);
};

extern const Command check_command, judge_command, show_command, why_command, symbols_command, tree_command,
    explain_command, conflicts_command, fix_command, repair_command, sbom_command, library_index_command, diff_command,
    runs_on_command, interfaces_command, release_command, rules_command, schema_command, check_config_command,
    policy_command, completions_command, man_command;

}  // namespace wheelcheck::cli
