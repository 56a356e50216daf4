// The tree of words as plain facts, read from what parses them, so that completions and the man page cannot drift from
// it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace wheelcheck::cli {

struct OptionOutline {
  std::vector<std::string> names;    // -j, --jobs; of a positional none
  std::string value;                 // FILE|DIR, UINT; the name of a positional; empty for a flag
  std::vector<std::string> choices;  // the words that it takes, where they are few
  std::string text, group, initial;  // initial: what it is when it is not given, or empty
  bool repeatable = false, required = false;

  bool operator==(const OptionOutline&) const = default;
};

struct CommandOutline {
  std::string name, text;
  std::vector<OptionOutline> positionals, options;
};

struct Outline {
  std::string name, text;
  std::vector<OptionOutline> options;  // of the program itself
  std::vector<CommandOutline> commands;
};

Outline read_outline();

// Options and positionals of one command, without hidden ones; without those of the commands below it.
void read_options(const CLI::App& app, std::vector<OptionOutline>& options, std::vector<OptionOutline>& positionals);

// What a shell may offer for a value.
struct Answers {
  std::vector<std::string> words;
  bool rules = false, files = false, directories = false, wheels = false;

  bool any() const { return !words.empty() || rules || files || directories || wheels; }
  bool operator==(const Answers&) const = default;
};
// By the names of values: FILE and PATH, DIR, RULE, WHEEL, NAME[=FILE]; lower-case words stand for themselves.
Answers answers_for(const OptionOutline& option);

// Codes and names of all rules, for RULE.
std::vector<std::string> rule_words();

}  // namespace wheelcheck::cli
