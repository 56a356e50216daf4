// The entry point, and the parts of a run that all commands have in common.
//
// `check` is the command if none is named. CLI11 parses the words. Only the options of the named command are added to
// the parser, because adding those of all commands takes longer than checking a small wheel; help, completions and the
// manual page read the same parser (outline.h), so they cannot differ from it. A command opens all inputs and outputs,
// enters the sandbox (docs/sandbox.md), and only then reads a byte of a wheel: a mistake in a reader is then bounded by
// the kernel. The exit code has one of five meanings, of which `exit_codes` is the list.

#include "cli/main.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <iterator>
#include <memory>
#include <span>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "base/text.h"
#include "cli/about.h"
#include "cli/commands.h"
#include "cli/inputs.h"
#include "cli/options.h"
#include "cli/outline.h"
#include "sandbox/sandbox.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

bool asks_version(const std::string& word) { return word == "--version" || word == "-V"; }

bool is_flag_of_program(const std::string& word) {
  return word == "--help" || word == "-h" || word == "--verbose" || asks_version(word);
}

// Whether `name` looks like a file name or a pattern.
bool is_input(const std::string& name) {
  std::error_code none;
  return std::filesystem::exists(std::filesystem::symlink_status(name, none)) ||
         name.find_first_of("/*?[:") != std::string::npos || name.ends_with(".whl");
}

int refuse_usage(std::string_view problem, std::string_view command = "") {
  print_error("wheelcheck: {}\nsee `wheelcheck{}{} --help`\n", problem, command.empty() ? "" : " ", command);
  return exit_usage;
}

// `help COMMAND` and `--help COMMAND` become `COMMAND --help`, `--verbose COMMAND` becomes `COMMAND --verbose`.
void move_program_flags(std::vector<std::string>& words) {
  if (words.size() < 2 || find_command(words[1]) == nullptr) return;
  if (words.front() == "help" || words.front() == "--help" || words.front() == "-h") {
    words.erase(words.begin());
    const auto is_option = [](const std::string& word) { return word.starts_with('-'); };
    words.insert(std::ranges::find_if(words, is_option), "--help");
  } else if (words.front() == "--verbose") {
    std::swap(words[0], words[1]);
  }
}

// What is wrong with a first word that is neither a command, an option nor a file; "" if it may be a project.
std::string problem_of_first(const std::vector<std::string>& words) {
  const std::string& word = words.front();
  if (words.size() > 1 && find_command(words[1]) != nullptr)
    return fmt::format("{} is not a command; use: wheelcheck {}", escape(word), words[1]);
  if (std::string problem = unknown_command(word); !problem.empty()) return problem;
  if (words.size() == 1 || words[1].starts_with('-')) return "";
  const std::string path = similar_path(word);
  return fmt::format("no command or file is named {}{}", escape(word),
                     path.empty() ? "" : "; a similar path exists: " + escape(path));
}

std::string problem_of_help(const std::string& word) {
  const std::string problem = unknown_command(word);
  return problem.empty() ? "no command is named " + escape(word) : problem;
}

// The subcommands that were parsed: "policy derive".
std::string parsed_command(const CLI::App& app) {
  const auto below = app.get_subcommands();
  if (below.empty()) return "";
  const std::string nested = parsed_command(*below.front());
  return below.front()->get_name() + (nested.empty() ? "" : " " + nested);
}

// For a command of commands: the word that should be one of them, or that none is given. "" for other commands.
std::string unknown_nested(const CLI::App& app, std::span<const std::string> words) {
  std::vector<std::string> names;
  for (const CLI::App* const one : app.get_subcommands({})) names.push_back(one->get_name());
  if (names.empty() || !app.get_subcommands().empty()) return "";
  const auto word = std::ranges::find_if_not(words, [](const std::string& one) { return one.starts_with('-'); });
  if (word == words.end()) return fmt::format("{} needs a command: {}", app.get_name(), join(names, ", "));
  const std::string similar = closest(*word, names);
  return fmt::format("{} has no command {}; {}", app.get_name(), escape(*word),
                     similar.empty() ? "there are " + join(names, ", ") : "a similar one exists: " + similar);
}

// The parser echoes arguments as they are, and those of our own checks are escaped already.
std::string printable(std::string_view problem) {
  const auto is_odd = [](char c) { return (c < ' ' && c != '\n') || c == '\x7F'; };  // char: bytes beyond ASCII too
  return std::ranges::any_of(problem, is_odd) ? escape(problem) : std::string(problem);
}

int run_program(std::vector<std::string> words) {
  move_program_flags(words);
  if (!words.empty() && !words.front().starts_with('-') && find_command(words.front()) == nullptr &&
      !is_input(words.front())) {
    const bool help = words.front() == "help";
    if (help && words.size() > 1 && words[1] != "help") return refuse_usage(problem_of_help(words[1]));
    if (help || words.front() == "version")
      words = {"--" + words.front()};
    else if (const std::string problem = problem_of_first(words); !problem.empty())
      return refuse_usage(problem);
  }
  const bool command_given = !words.empty() && find_command(words.front()) != nullptr;
  if (!words.empty() && !is_flag_of_program(words.front()) && !command_given) words.insert(words.begin(), "check");
  const auto named = std::ranges::find_if_not(words, is_flag_of_program);
  const Command* const requested = named == words.end() ? nullptr : find_command(*named);
  if (words.size() == 2 && std::ranges::count_if(words, asks_version) == 1 &&
      std::ranges::count(words, "--verbose") == 1)
    return print_text(about());
  // The general help lists all commands. If the first word is a command, the other commands are not needed.
  const bool is_first = requested != nullptr && named == words.begin();
  // Not destroyed; the kernel frees it at exit.
  static CLI::App* program = nullptr;
  program = (is_first ? make_program({&requested, 1}) : make_program()).release();
  const Run run = requested == nullptr ? Run() : add_options(*requested, *program);
  try {
    program->parse(std::vector<std::string>(words.rbegin(), words.rend()));
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help or --version
      std::ostringstream text;
      program->exit(error, text, text);
      return print_text(text.str());
    }
    const bool nothing_given =
        words.empty() || (words.size() == 1 && (words.front() == "check" || words.front() == "show"));
    if (nothing_given)
      return refuse_usage("nothing to check: name wheels, directories that contain wheels, or patterns");
    const std::string command = parsed_command(*program);
    std::string problem;
    if (!command_given) problem = late_command(std::span(words).subspan(1));
    if (problem.empty() && requested != nullptr)
      problem = unknown_nested(*program->get_subcommand(requested->name), std::span(named + 1, words.end()));
    if (problem.empty()) problem = unknown_option(*program, words);
    constexpr std::string_view of_cli11 = "The following argument was not expected: ";
    if (problem.empty() && std::string_view(error.what()).starts_with(of_cli11))
      problem = fmt::format("unexpected argument {}", escape(std::string_view(error.what()).substr(of_cli11.size())));
    return refuse_usage(problem.empty() ? printable(error.what()) : problem,
                        command.empty() && requested ? requested->name : command);
  }
  if (requested == &check_command) {
    const auto inputs = program->get_subcommand("check")->get_option("WHEEL")->results();
    std::string problem = late_command(inputs);
    if (problem.empty() && !command_given && inputs.size() > 1 && !is_input(inputs.front()))
      problem = unknown_command(inputs.front());
    if (!problem.empty()) return refuse_usage(problem);
  }
  if (const auto fine = refuse_outputs(*program); !fine) return complain(fine.error());
  return run ? run() : exit_usage;
}

}  // namespace
}  // namespace wheelcheck::cli

int main(int argc, char** argv) {
  wheelcheck::cli::prepare_process();
  try {
    return wheelcheck::cli::run_program(std::vector<std::string>(argv + 1, argv + argc));
  } catch (const std::exception& error) {
    wheelcheck::cli::print_error("wheelcheck: internal error: {}\n", error.what());
  } catch (...) {
    wheelcheck::cli::print_error("wheelcheck: internal error\n");
  }
  return wheelcheck::cli::exit_internal;
}

namespace wheelcheck::cli {

namespace {

constexpr const Command* commands[] = {
    &check_command,         &judge_command,   &show_command,       &why_command,          &symbols_command,
    &tree_command,          &runs_on_command, &interfaces_command, &explain_command,      &conflicts_command,
    &diff_command,          &release_command, &fix_command,        &repair_command,       &sbom_command,
    &library_index_command, &rules_command,   &schema_command,     &check_config_command, &policy_command,
    &completions_command,   &man_command};

constexpr ExitCode exit_codes[] = {{0, "passed"},
                                   {1, "findings of --fail-on or higher"},
                                   {2, "usage, configuration, or a file that cannot be written"},
                                   {3, "an input cannot be read as a wheel"},
                                   {4, "internal error"}};

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
  program->formatter(help_formatter());
  program->set_help_flag("--help,-h", "Print this help");
  program->set_version_flag("--version,-V", "wheelcheck " + std::string(version()), "Print the version");
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

namespace {

// Descriptors for streams, libraries, the report, directory walks, and the cache files of each thread.
constexpr std::size_t other_files = 64, files_of_a_thread = 4;

std::size_t max_inputs(unsigned jobs) {
  const std::size_t all = sandbox::raise_open_files(), others = other_files + files_of_a_thread * jobs;
  return all > others ? all - others : 1;
}

Result<void> lock_down(const Options& options, const OpenedLater& later) {
  if (options.sandbox == "off") return {};
  if (later.files > 0)
    print_error(
        "wheelcheck: {} of the wheels are more than can be open at once; the sandbox lets the program open these files "
        "later, and no others\n",
        later.files);
  return sandbox::lock_down({.read = later.read, .write = later.cache, .outputs = options.outputs},
                            options.sandbox == "require" ? sandbox::Demand::All : sandbox::Demand::WhatThereIs);
}

}  // namespace

void enter_sandbox_once_open(Options& options) {
  options.settings.max_open = max_inputs(options.settings.jobs);
  options.settings.inputs_open = [&options](const OpenedLater& later) { return lock_down(options, later); };
}

}  // namespace wheelcheck::cli
