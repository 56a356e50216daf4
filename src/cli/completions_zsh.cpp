// Completions for zsh: the specifications that its _arguments takes, by command.
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/completions.h"

namespace wheelcheck::cli {
namespace {

// Inside of 'spec:message:action': the marks of the specification and of the quotes around it.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\'') out += "'\\'";
    if (std::string_view("[]:\\").find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

std::string_view files_of(const Answers& answers) {
  if (answers.wheels) return R"(_files -g "*.whl")";
  if (answers.files) return "_files";
  return answers.directories ? "_files -/" : "";
}

// " " offers nothing; a space in front keeps _arguments from adding words of its own to the call.
std::string action(const Answers& answers) {
  const std::string words = join(answers.words, " ") + (answers.rules ? "$rules" : "");
  const std::string_view files = files_of(answers);
  if (words.empty()) return files.empty() ? " " : std::string(files);
  return files.empty() ? fmt::format("({})", words) : fmt::format(" _wheelcheck_or \"{}\" {}", words, files);
}

std::string option_specs(const OptionOutline& option) {
  const std::string others = option.repeatable         ? "*"
                             : option.names.size() > 1 ? "(" + join(option.names, " ") + ")"
                                                       : "";
  std::string text;
  for (const std::string& name : option.names) {
    text += fmt::format("        '{}{}", others, name);
    if (!option.value.empty()) text += name.starts_with("--") ? "=" : "+";
    text += fmt::format("[{}]", plain(option.text));
    if (!option.value.empty()) text += fmt::format(":{}:{}", plain(option.value), action(answers_for(option)));
    text += "' \\\n";
  }
  return text;
}

std::string arguments(const CommandOutline& command) {
  std::string text = "      _arguments -s -S \\\n";
  for (const OptionOutline& option : command.options) text += option_specs(option);
  std::size_t place = 0;
  for (const OptionOutline& positional : command.positionals) {
    const std::string which = positional.repeatable ? "*" : std::to_string(++place);
    text += fmt::format("        '{}:{}:{}' \\\n", which, plain(positional.value), action(answers_for(positional)));
  }
  return text + "        && return\n";
}

}  // namespace

std::string zsh_completions(const Outline& outline) {
  std::string described, cases, options;
  std::vector<std::string> commands;
  for (const OptionOutline& option : outline.options) options += option_specs(option);
  for (const CommandOutline& command : outline.commands) {
    commands.push_back(command.name);
    described += fmt::format("    '{}:{}'\n", command.name, plain(command.text));
    cases += fmt::format("    {})\n{}      ;;\n", command.name, arguments(command));
  }
  return fmt::format(R"(#compdef {0}
# Completions of {0} for zsh, written by `{0} completions zsh`.
# Words, or what the command behind them completes.
_{0}_or() {{
  local -a words=($=1)
  compadd -a words
  "${{@[2,-1]}}"
}}

_{0}() {{
  local command=check
  local -a commands rules
  commands=(
{1}  )
  rules=({2})
  if ((CURRENT == 2)) && [[ $PREFIX != -* ]]; then
    _describe -t commands command commands
    _files -g "*.whl"
    return
  fi
  if ((CURRENT == 2)); then
    _arguments \
{3}        '*:WHEEL:_files -g "*.whl"'
  fi
  case $words[2] in
    {4})
      command=$words[2]
      shift words
      ((CURRENT--))
      ;;
  esac
  case $command in
{5}  esac
}}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _{0} "$@"
else
  compdef _{0} {0}
fi
)",
                     outline.name, described, join(rule_words(), " "), options, join(commands, "|"), cases);
}

}  // namespace wheelcheck::cli
