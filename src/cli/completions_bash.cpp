// Completions for bash, without the package bash-completion: a function that knows what each word may be followed by.
#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/text.h"
#include "cli/completions.h"

namespace wheelcheck::cli {
namespace {

// The words hold letters, digits, '-' and '_': nothing that bash would expand.
std::string offer(const Answers& answers) {
  std::string text;
  if (!answers.words.empty()) text += fmt::format("words=\"{}\" ", join(answers.words, " "));
  if (answers.rules) text += "words=$rules ";
  if (answers.files) text += "files=yes ";
  if (answers.directories) text += "directories=yes ";
  if (answers.wheels) text += "wheels=yes ";
  return text;
}

std::string names_of(const std::vector<OptionOutline>& options) {
  std::string text;
  for (const OptionOutline& option : options) text += (text.empty() ? "" : " ") + join(option.names, " ");
  return text;
}

// What follows an option that takes a value.
std::string value_cases(const CommandOutline& command) {
  std::string text;
  for (const OptionOutline& option : command.options) {
    if (option.value.empty()) continue;
    std::string pattern;
    for (const std::string& name : option.names) pattern += (pattern.empty() ? "" : " | ") + command.name + "," + name;
    text += fmt::format("    {}) {};;\n", pattern, offer(answers_for(option)));
  }
  return text;
}

std::string word_case(const CommandOutline& command) {
  std::string text = fmt::format("        {}) options=\"{}\" ", command.name, names_of(command.options));
  for (const OptionOutline& positional : command.positionals) text += offer(answers_for(positional));
  return text + ";;\n";
}

}  // namespace

std::string bash_completions(const Outline& outline) {
  std::vector<std::string> commands;
  std::string values, words;
  for (const CommandOutline& command : outline.commands) {
    commands.push_back(command.name);
    values += value_cases(command);
    words += word_case(command);
  }
  return fmt::format(R"(# Completions of {0} for bash, written by `{0} completions bash`.
_{0}() {{
  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}}
  local command=check options= words= files= directories= wheels=
  local rules="{1}"
  # bash takes --option=value for three words.
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev=${{COMP_WORDS[COMP_CWORD-2]}}
  fi
  if ((COMP_CWORD > 1)); then
    case ${{COMP_WORDS[1]}} in
      {2}) command=${{COMP_WORDS[1]}} ;;
    esac
  fi
  case $command,$prev in
{3}    *)
      case $command in
{4}      esac
      if ((COMP_CWORD == 1)); then
        options+=" {5}"
        words="{6}"
      fi
      if [[ $cur == -* ]]; then
        words=$options files= directories= wheels=
      fi
      ;;
  esac
  COMPREPLY=()
  if [[ $words ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
  fi
  if [[ $files || $directories || $wheels ]]; then
    compopt -o filenames 2>/dev/null
    local -a flags=(-d)
    if [[ $files ]]; then flags=(-f); fi
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen "${{flags[@]}}" -- "$cur")
  fi
  if [[ $wheels ]]; then
    mapfile -t -O "${{#COMPREPLY[@]}}" COMPREPLY < <(compgen -f -X '!*.whl' -- "$cur")
  fi
}}
complete -F _{0} {0}
)",
                     outline.name, join(rule_words(), " "), join(commands, " | "), values, words,
                     names_of(outline.options), join(commands, " "));
}

}  // namespace wheelcheck::cli
