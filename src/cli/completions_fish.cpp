// Completions for fish: a line an option, each with the command that it belongs to.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/completions.h"

namespace wheelcheck::cli {
namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return out + "'";
}

// The flags of `complete` for a value: -r one is needed, -f no file, -a what it may be.
std::string value_flags(const Answers& answers) {
  std::vector<std::string> words = answers.words;
  if (answers.rules) words.emplace_back("$__wheelcheck_rules");
  if (answers.wheels) words.emplace_back("(__fish_complete_suffix .whl)");
  if (answers.directories && !answers.files) words.emplace_back("(__fish_complete_directories)");
  const std::string list = words.empty() ? "" : " -a \"" + join(words, " ") + "\"";
  return (answers.files ? " -F" : " -f") + list;
}

std::string option_line(const std::string& condition, const OptionOutline& option) {
  std::string names;
  for (const std::string& name : option.names)
    names += name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1);
  const std::string value = option.value.empty() ? "" : " -r" + value_flags(answers_for(option));
  return fmt::format("complete -c wheelcheck -n {}{}{} -d {}\n", in_quotes(condition), names, value,
                     in_quotes(option.text));
}

}  // namespace

std::string fish_completions(const Outline& outline) {
  std::vector<std::string> commands;
  std::string lines;
  for (const OptionOutline& option : outline.options) lines += option_line("__wheelcheck_first", option);
  for (const CommandOutline& command : outline.commands) {
    commands.push_back(command.name);
    lines += fmt::format("complete -c wheelcheck -n __wheelcheck_first -a {} -d {}\n", command.name,
                         in_quotes(command.text));
    const std::string condition = "__wheelcheck_runs " + command.name;
    for (const OptionOutline& option : command.options) lines += option_line(condition, option);
    for (const OptionOutline& positional : command.positionals)
      if (const Answers answers = answers_for(positional); answers.any())
        lines += fmt::format("complete -c wheelcheck -n {}{} -d {}\n", in_quotes(condition), value_flags(answers),
                             in_quotes(positional.value));
  }
  return fmt::format(R"(# Completions of {0} for fish, written by `{0} completions fish`.
set -g __wheelcheck_rules {1}

function __wheelcheck_first
    test (count (commandline -opc)) -eq 1
end

# Whether the command, `check` where none is named, is $argv.
function __wheelcheck_runs
    set -l words (commandline -opc)
    set -l command check
    if set -q words[2]; and contains -- $words[2] {2}
        set command $words[2]
    end
    test $command = $argv
end

complete -c {0} -f
{3})",
                     outline.name, join(rule_words(), " "), join(commands, " "), lines);
}

}  // namespace wheelcheck::cli
