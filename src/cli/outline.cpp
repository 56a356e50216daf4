#include "cli/outline.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "cli/main.h"
#include "cli/options.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::cli {
namespace {

// CLI11 returns the name of a value and the description of its checks as one text: "TEXT:{full,json}", "UINT:UINT in [1
// - 1024]", or "WHEEL::MEMBER" without a check.
std::pair<std::string, std::string> name_and_checks(const std::string& text) {
  for (std::size_t at = text.find(':'); at != std::string::npos; at = text.find(':', at + 1)) {
    if (text.compare(at, 2, "::") != 0) return {text.substr(0, at), text.substr(at + 1)};
    ++at;
  }
  return {text, ""};
}

OptionOutline read_option(const CLI::Option& option) {
  OptionOutline out{.text = option.get_description(),
                    .group = option.get_group(),
                    .initial = option.get_default_str(),
                    .repeatable = option.get_items_expected_max() > 1,
                    .required = option.get_required()};
  for (const std::string& name : option.get_snames()) out.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) out.names.push_back("--" + name);
  if (option.get_items_expected_max() == 0) return out;
  const auto [value, checks] = name_and_checks(option.get_type_name());
  out.value = option.get_positional() ? option.get_name(true) : value;
  if (checks.starts_with('{') && checks.ends_with('}'))
    for (const std::string_view word : split(std::string_view(checks).substr(1, checks.size() - 2), ','))
      out.choices.emplace_back(word);
  return out;
}

}  // namespace

void read_options(const CLI::App& app, std::vector<OptionOutline>& options, std::vector<OptionOutline>& positionals) {
  for (const CLI::Option* const option : app.get_options()) {
    if (option->get_group().empty()) continue;  // hidden
    (option->get_positional() ? positionals : options).push_back(read_option(*option));
  }
}

namespace {

// Adds the options of nested subcommands as if they belonged to the command itself; the subcommand becomes the first
// positional.
void read_nested(const CLI::App& app, CommandOutline& outline) {
  const std::vector<const CLI::App*> below = app.get_subcommands({});
  if (below.empty()) return;
  OptionOutline choice{.value = "COMMAND", .text = "What is asked", .required = true};
  std::vector<OptionOutline> options, positionals;
  for (const CLI::App* const one : below) {
    choice.choices.push_back(one->get_name());
    choice.text +=
        fmt::format("{}{}: {}", choice.choices.size() == 1 ? ". " : "; ", one->get_name(), one->get_description());
    CommandOutline& nested = outline.nested.emplace_back(
        CommandOutline{.name = fmt::format("{} {}", outline.name, one->get_name()), .text = one->get_description()});
    std::vector<OptionOutline> unused;
    read_options(*one, unused, nested.positionals);
    read_options(*one, options, positionals);
  }
  outline.positionals.push_back(std::move(choice));
  const auto take = [](std::vector<OptionOutline>& from, std::vector<OptionOutline>& to) {
    for (OptionOutline& option : from) {
      const auto is_same = [&](const OptionOutline& one) {
        return one.names == option.names && one.value == option.value;
      };
      if (std::ranges::none_of(to, is_same)) to.push_back(std::move(option));
    }
  };
  take(options, outline.options);
  take(positionals, outline.positionals);
}

}  // namespace

Outline read_outline() {
  const std::unique_ptr<CLI::App> program = make_program();
  std::vector<Run> runs;  // own the variables that the options point to
  std::vector<OptionOutline> none;
  Outline out{.name = program->get_name(), .text = program->get_description()};
  read_options(*program, out.options, none);
  for (const Command* const command : all_commands()) {
    runs.push_back(add_options(*command, *program));
    CommandOutline& outline =
        out.commands.emplace_back(CommandOutline{.name = command->name, .text = command->summary});
    const CLI::App& app = *program->get_subcommand(command->name);
    read_options(app, outline.options, outline.positionals);
    read_nested(app, outline);
  }
  return out;
}

Answers answers_for(const OptionOutline& option) {
  Answers answers{.words = option.choices};
  if (!option.choices.empty()) return answers;
  for (const std::string_view part : split(option.value, '|')) {
    if (part == "FILE" || part == "PATH") answers.files = true;
    if (part == "DIR") answers.directories = true;
    if (part == "RULE") answers.rules = true;
    if (part.starts_with("WHEEL")) answers.wheels = true;
    if (part == "NAME[=FILE]") answers.words = report_formats();
    if (part == "NAME=VALUE")
      for (const LimitOutline& limit : limit_outlines()) answers.words.push_back(limit.name + "=");
    if (!part.empty() && std::ranges::all_of(part, is_lower)) answers.words.emplace_back(part);
  }
  return answers;
}

std::vector<std::string> rule_words() {
  std::vector<std::string> words;
  for (const Rule* const rule : all_rules()) {
    words.emplace_back(rule->code);
    words.emplace_back(rule->name);
  }
  return words;
}

}  // namespace wheelcheck::cli
