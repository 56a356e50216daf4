// The subcommands of `wheelcheck policy`, and the options that they have in common.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "wheelcheck/policies.h"

namespace wheelcheck::cli {

extern const Command policy_list_command, policy_show_command, policy_diff_command, policy_validate_command,
    policy_derive_command, policy_explain_command, policy_simulate_command;

void add_level_files_option(CLI::App& app, std::vector<std::string>& files);  // --policy
void add_arch_option(CLI::App& app, std::string& arch);
void add_format_option(CLI::App& app, std::string& format, std::vector<std::string> formats);

// A level as the user names it: "manylinux_2_17_x86_64" is manylinux_2_17 for that machine.
struct NamedLevel {
  std::string name;
  std::optional<Arch> arch;
};
Result<NamedLevel> named_level(const std::string& word, const std::string& arch);
// The level in `levels` or in a file, reduced to that architecture if one is given.
Result<policy::Level> level_of(std::span<const policy::Level> levels, const std::string& word, const std::string& arch);

}  // namespace wheelcheck::cli
