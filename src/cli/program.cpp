#include "cli/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

constexpr const Command* commands[] = {&check_command,        &judge_command,  &show_command,        &why_command,
                                       &symbols_command,      &tree_command,   &runs_on_command,     &explain_command,
                                       &conflicts_command,    &diff_command,   &rules_command,       &schema_command,
                                       &check_config_command, &policy_command, &completions_command, &man_command};

constexpr ExitCode exit_codes[] = {{0, "clean"},
                                   {1, "findings at or above --fail-on"},
                                   {2, "usage, configuration, or a file that cannot be written"},
                                   {3, "an input cannot be read as a wheel"},
                                   {4, "internal error"}};

std::string footer() {
  std::string text = "Exit codes: ";
  for (const ExitCode& exit : exit_codes)
    text += fmt::format("{} {}{}", exit.code, exit.meaning, exit.code == 4 ? ".\n" : exit.code == 2 ? ",\n" : ", ");
  return text + "`wheelcheck WHEEL...` is short for `wheelcheck check WHEEL...`.";
}

void take_one_word_each(CLI::App& app) {
  for (CLI::Option* const option : app.get_options())
    if (!option->get_positional()) option->allow_extra_args(false);
}

}  // namespace

std::span<const Command* const> all_commands() { return commands; }

std::span<const ExitCode> all_exit_codes() { return exit_codes; }

const Command* find_command(std::string_view word) {
  const auto found = std::ranges::find_if(commands, [&](const Command* command) { return word == command->name; });
  return found == std::end(commands) ? nullptr : *found;
}

std::unique_ptr<CLI::App> make_program(std::span<const Command* const> offered) {
  auto program = std::make_unique<CLI::App>("Checks that Linux Python wheels are compatible with their platform tags",
                                            "wheelcheck");
  program->footer(footer());
  program->set_version_flag("--version,-V", "wheelcheck " + std::string(version()));
  program->add_flag("--verbose")
      ->description("With --version: how it was built, its libraries, and the sandbox on this kernel");
  program->require_subcommand(1);
  for (const Command* const command : offered) program->add_subcommand(command->name, command->summary);
  return program;
}

Run add_options(const Command& command, CLI::App& program) {
  CLI::App& app = *program.get_subcommand(command.name);
  Run run = command.fill(app);
  take_one_word_each(app);
  for (CLI::App* const nested : app.get_subcommands({})) take_one_word_each(*nested);
  return run;
}

}  // namespace wheelcheck::cli
