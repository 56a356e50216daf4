// The commands and options as plain data, and the help, the completions and the manual page that are written from it.
// It is read from the parser itself, so they always agree with it.
#pragma once

#include <CLI/CLI.hpp>
#include <memory>
#include <string>
#include <vector>

namespace wheelcheck::cli {

struct OptionOutline {
  std::vector<std::string> names;    // -j, --jobs; empty for a positional
  std::string value;                 // FILE|DIR, UINT; the name of a positional; empty for a flag
  std::vector<std::string> choices;  // the accepted values, if there are few
  std::string text, group, initial;  // initial: the default value, or empty
  bool repeatable = false, required = false;

  bool operator==(const OptionOutline&) const = default;
};

struct CommandOutline {
  std::string name, text;
  std::vector<OptionOutline> positionals, options;
  std::vector<CommandOutline> nested = {};  // the commands of `policy`, with their positionals only
};

struct Outline {
  std::string name, text;
  std::vector<OptionOutline> options;  // of the program itself
  std::vector<CommandOutline> commands;
};

Outline read_outline();

// The options and positionals of one command, without hidden ones and without those of its subcommands.
void read_options(const CLI::App& app, std::vector<OptionOutline>& options, std::vector<OptionOutline>& positionals);

// What a shell may offer as a value.
struct Answers {
  std::vector<std::string> words;
  bool rules = false, files = false, directories = false, wheels = false;

  bool any() const { return !words.empty() || rules || files || directories || wheels; }
  bool operator==(const Answers&) const = default;
};
// From the name of the value: FILE and PATH, DIR, RULE, WHEEL, NAME[=FILE], NAME=VALUE. Lower-case words are literal
// values. A word that ends in '=' is the beginning of a value.
Answers answers_for(const OptionOutline& option);

// The codes and names of all rules, for RULE.
std::vector<std::string> rule_words();

// What is written from it.

// The text of --help: 80 columns, frequent options first, limits last, examples at the end. For the program; its
// commands inherit it.
std::shared_ptr<CLI::FormatterBase> help_formatter();
// Completion scripts. Each shell has its own function.
std::string bash_completions(const Outline& outline);
std::string fish_completions(const Outline& outline);
std::string zsh_completions(const Outline& outline);
// The manual page wheelcheck(1) in roff with the man macros.
std::string man_page(const Outline& outline);

}  // namespace wheelcheck::cli
