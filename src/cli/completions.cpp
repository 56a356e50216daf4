// `wheelcheck completions SHELL` and `wheelcheck man`: files that are installed with the program, generated from its
// own options.

#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/outline.h"

namespace wheelcheck::cli {

namespace {

struct CompletionOptions : Options {
  std::string shell;
};

std::string completions(const std::string& shell) {
  const Outline outline = read_outline();
  if (shell == "bash") return bash_completions(outline);
  return shell == "fish" ? fish_completions(outline) : zsh_completions(outline);
}

void add_output_file(CLI::App& app, Options& options) {
  app.add_option("--output-file,-o", options.output_file, "Write to this file instead of stdout")->type_name("FILE");
}

Run fill_completions(CLI::App& app) {
  const auto options = std::make_shared<CompletionOptions>();
  app.add_option("SHELL", options->shell, "The shell")->required()->check(CLI::IsMember({"bash", "fish", "zsh"}));
  add_output_file(app, *options);
  return [options] {
    const int code = finish(*options);
    return code != 0 ? code : deliver(*options, completions(options->shell), 0);
  };
}

Run fill_man(CLI::App& app) {
  const auto options = std::make_shared<Options>();
  add_output_file(app, *options);
  return [options] {
    const int code = finish(*options);
    return code != 0 ? code : deliver(*options, man_page(read_outline()), 0);
  };
}

}  // namespace

const Command completions_command{"completions", "Print the completion script of a shell", &fill_completions};
const Command man_command{"man", "Print the manual page", &fill_man};

// Completions for bash. They do not need the package bash-completion.

namespace {

// The words contain only letters, digits, '-', '_' and '=', which bash does not expand.
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

// The cases for the value of an option.
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
    if [[ ${{COMPREPLY[0]}} == *= ]]; then compopt -o nospace 2>/dev/null; fi
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

// Completions for fish: one line for each option, with the command that it belongs to.

namespace {

std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' || c == '\\' ? std::string{'\\', c} : std::string{c};
  return out + "'";
}

// The flags of `complete` for a value: -r it is required, -f it is not a file, -a the candidates.
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

// Completions for zsh: specifications for _arguments, by command.

namespace {

// Escapes text for 'spec:message:action': the separators of the specification and the quotes.
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

// " " offers nothing. A leading space prevents _arguments from adding words of its own to the call.
std::string action(const Answers& answers) {
  const std::string words = join(answers.words, " ") + (answers.rules ? "$rules" : "");
  const std::string_view files = files_of(answers);
  if (words.empty()) return files.empty() ? " " : std::string(files);
  if (words.ends_with('=')) return fmt::format(" compadd -S \"\" {}", words);
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
