// The subcommands of `wheelcheck policy`, and the options that they have in common.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "report/shared/document.h"
#include "wheelcheck/derive.h"
#include "wheelcheck/policies.h"

namespace wheelcheck::cli {

extern const Command policy_list_command, policy_show_command, policy_diff_command, policy_validate_command,
    policy_derive_command, policy_explain_command, policy_simulate_command;

std::vector<std::string> policy_command_names();                              // list, show ...
void add_level_files_option(CLI::App& app, std::vector<std::string>& files);  // --policy
void add_arch_option(CLI::App& app, std::string& arch);
// --format, with the formats of answers; `more`: those that not every command has.
void add_format_option(CLI::App& app, std::string& format, std::span<const std::string_view> more = {});
int print_answer(const std::string& format, const report::Answer& answer);  // to stdout; returns the exit code

// A level as the user names it: "manylinux_2_17_x86_64" is manylinux_2_17 for that machine.
struct NamedLevel {
  std::string name;
  std::optional<Arch> arch;
};
Result<NamedLevel> named_level(const std::string& word, const std::string& arch);
// The level in `levels` or in a file, reduced to that architecture if one is given.
Result<policy::Level> level_of(std::span<const policy::Level> levels, const std::string& word, const std::string& arch);

CLI::Option& add_roots_option(CLI::App& app, std::vector<std::string>& words);  // --root LABEL=PATH

// Reads the root file systems, in the order of their first occurrence. Paths with the same label form one root.
Result<std::vector<Root>> read_roots(const std::vector<std::string>& words);

}  // namespace wheelcheck::cli
