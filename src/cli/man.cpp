// The manual page.
#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "cli/main.h"
#include "cli/options.h"
#include "cli/outline.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

// Escapes text for roff: '-' becomes a hyphen that can be copied, and no line starts with a control character
// (groff_man(7), "Portability").
std::string roff(std::string_view text) {
  std::string out = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else
      out += c;
  }
  return out;
}

std::string bold(std::string_view text) { return "\\fB" + roff(text) + "\\fR"; }
std::string italic(std::string_view text) { return "\\fI" + roff(text) + "\\fR"; }

std::string names_of(const OptionOutline& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.names) names.push_back(bold(name));
  return join(names, ", ");
}

std::string described(const OptionOutline& option) {
  std::string text = ".TP\n" + (option.names.empty() ? italic(option.value) : names_of(option));
  if (!option.names.empty() && !option.value.empty())
    text += " " + (option.choices.empty() ? italic(option.value) : roff(join(option.choices, "|")));
  if (option.repeatable) text += " ...";
  text += "\n" + roff(option.text);
  if (option.names.empty() && !option.choices.empty()) text += ": " + roff(join(option.choices, ", "));
  return text + (option.initial.empty() ? "" : " [" + roff(option.initial) + "]") + "\n";
}

std::string synopsis(const Outline& outline, const CommandOutline& command) {
  std::string text = bold(outline.name + " " + command.name) + " [" + italic("options") + "]";
  for (const OptionOutline& positional : command.positionals) {
    const std::string word = italic(positional.value) + (positional.repeatable ? "..." : "");
    text += positional.required ? " " + word : " [" + word + "]";
  }
  return text + "\n";
}

const CommandOutline* first_with(const Outline& outline, const OptionOutline& option) {
  for (const CommandOutline& command : outline.commands)
    if (std::ranges::find(command.options, option) != command.options.end()) return &command;
  return nullptr;
}

// Options that an earlier command has in exactly the same form are only named.
std::string options_of(const Outline& outline, const CommandOutline& command) {
  std::string text, group = "Options";
  std::vector<std::pair<const CommandOutline*, std::string>> listed;
  for (const OptionOutline& option : command.options) {
    const CommandOutline* const first = first_with(outline, option);
    if (first != &command) {
      if (listed.empty() || listed.back().first != first) listed.emplace_back(first, "");
      listed.back().second += (listed.back().second.empty() ? "" : ", ") + names_of(option);
      continue;
    }
    if (option.group != group) text += fmt::format(".PP\n{}:\n", roff(group = option.group));
    text += described(option);
  }
  for (const auto& [first, names] : listed) text += fmt::format(".PP\nAs for {}: {}.\n", bold(first->name), names);
  return text;
}

constexpr std::string_view environment = R"(.SH ENVIRONMENT
.TP
\fBNO_COLOR\fR, \fBFORCE_COLOR\fR, \fBCLICOLOR_FORCE\fR
Without colour, or with it although no terminal reads, where \fB\-\-color\fR says nothing.
.TP
\fBCI\fR
No progress bar.
.TP
\fBXDG_CACHE_HOME\fR, \fBHOME\fR
Where \fB\-\-cache auto\fR keeps facts of wheels.
.SH FILES
.TP
\fIwheelcheck.toml\fR, \fIpyproject.toml\fR
The configuration: the nearest one, upward from the current directory.
.PP
Nothing else around the program changes what it says of a wheel.
)";

constexpr std::string_view examples = R"(.SH EXAMPLES
.TP
\fBwheelcheck dist/*.whl\fR
Does each keep the promise of its tags? The exit code is for continuous integration.
.TP
\fBwheelcheck why dist/app\-1.0\-*.whl manylinux_2_28\fR
What stands between a wheel and a tag.
.TP
\fBwheelcheck explain WC102\fR
What a rule finds, why it matters, how to mend it.
.SH SEE ALSO
.BR ld.so (8),
.BR elf (5)
)";

}  // namespace

std::string man_page(const Outline& outline) {
  std::string text = fmt::format(
      ".\\\" Written by {0} man.\n.TH {1} 1 \"\" \"{0} {2}\" \"User Commands\"\n.SH NAME\n{0} \\- {3}\n.SH SYNOPSIS\n",
      outline.name, "WHEELCHECK", version(), roff(outline.text));
  std::vector<std::string> lines;
  for (const CommandOutline& command : outline.commands) {
    if (command.nested.empty()) lines.push_back(synopsis(outline, command));
    for (const CommandOutline& nested : command.nested) lines.push_back(synopsis(outline, nested));
  }
  text += join(lines, ".br\n");
  text +=
      fmt::format(".SH DESCRIPTION\n{}. Where no command is named, {} is meant.\n", roff(outline.text), bold("check"));
  for (const OptionOutline& option : outline.options) text += described(option);
  text += ".SH COMMANDS\n";
  for (const CommandOutline& command : outline.commands) {
    text += fmt::format(".SS {}\n{}.\n", command.name, roff(command.text));
    for (const OptionOutline& positional : command.positionals) text += described(positional);
    text += options_of(outline, command);
  }
  text += ".SH LIMITS\nThe names that " + bold("--limit") + " takes.\n";
  for (const LimitOutline& limit : limit_outlines())
    text += fmt::format(".TP\n{}\n{} [{}]\n", bold(limit.name), roff(limit.text), limit.initial);
  text += ".SH EXIT STATUS\n";
  for (const ExitCode& exit : all_exit_codes()) text += fmt::format(".TP\n{}\n{}\n", exit.code, roff(exit.meaning));
  return text + std::string(environment) + std::string(examples);
}

}  // namespace wheelcheck::cli
