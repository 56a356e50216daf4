// wheelcheck: words in, words out. `check` is understood where no subcommand is named.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "cli/commands.h"
#include "cli/options.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

int run(std::vector<std::string> words) {
  CLI::App program("Checks that Linux Python wheels keep the promise of their platform tag", "wheelcheck");
  program.footer(
      "Exit codes: 0 clean, 1 findings at or above --fail-on, 2 usage or configuration,\n"
      "3 an input cannot be read as a wheel, 4 internal error.\n"
      "`wheelcheck WHEEL...` is short for `wheelcheck check WHEEL...`.");
  program.set_version_flag("--version,-V", "wheelcheck " + std::string(version()));
  program.require_subcommand(1);
  const std::vector<Command> commands = {add_check(program),     add_show(program),  add_why(program),
                                         add_symbols(program),   add_tree(program),  add_explain(program),
                                         add_conflicts(program), add_rules(program), add_schema(program)};

  const auto is_word_of_program = [&](const std::string& word) {
    if (word == "--help" || word == "-h" || word == "--version" || word == "-V") return true;
    for (const Command& command : commands)
      if (command.app->get_name() == word) return true;
    return false;
  };
  if (!words.empty() && !is_word_of_program(words.front())) words.insert(words.begin(), "check");
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return program.exit(error);  // help, version
    // Nothing to check is an input that cannot be read, not a word that was misspelt.
    const bool nothing_given =
        words.empty() || (words.size() == 1 && (words.front() == "check" || words.front() == "show"));
    fmt::print(
        stderr, "wheelcheck: {}\nrun `wheelcheck --help` for the words it knows\n",
        nothing_given ? "nothing to check: name wheels, directories that hold wheels, or patterns" : error.what());
    return nothing_given ? exit_unreadable : exit_usage;
  }
  for (const Command& command : commands)
    if (command.app->parsed()) return command.run();
  return exit_usage;
}

}  // namespace
}  // namespace wheelcheck::cli

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);
  try {
    return wheelcheck::cli::run(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    fmt::print(stderr, "wheelcheck: internal error: {}\n", error.what());
  } catch (...) {
    fmt::print(stderr, "wheelcheck: internal error\n");
  }
  return wheelcheck::cli::exit_internal;
}
