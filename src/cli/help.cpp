// The text of --help.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "cli/main.h"
#include "cli/options.h"
#include "cli/outline.h"
#include "report/shared/text.h"

namespace wheelcheck::cli {
namespace {

constexpr std::size_t help_width = 80, help_column = 28;

struct Example {
  std::string_view command, words;
};

// Two for each command; tests/cli/help_test.py runs them.
constexpr Example command_examples[] = {
    {"wheelcheck", "wheelcheck dist/*.whl"},
    {"wheelcheck", "wheelcheck explain WC102"},
    {"check", "wheelcheck check dist/*.whl"},
    {"check", "wheelcheck check --format sarif=out.sarif --fail-on warning dist"},
    {"judge", "wheelcheck judge --facts ~/.cache/wheelcheck/facts"},
    {"judge", "wheelcheck judge --facts ~/.cache/wheelcheck/facts --select WC102"},
    {"show", "wheelcheck show dist/app-1.0-*.whl"},
    {"show", "wheelcheck show --format json dist/app-1.0-*.whl"},
    {"why", "wheelcheck why dist/app-1.0-*.whl manylinux_2_17"},
    {"why", "wheelcheck why dist/app-1.0-*.whl --cheapest"},
    {"symbols", "wheelcheck symbols dist/app-1.0-*.whl"},
    {"symbols", "wheelcheck symbols --imports --match '^pthread_' dist/app-1.0-*.whl"},
    {"tree", "wheelcheck tree dist/app-1.0-*.whl"},
    {"tree", "wheelcheck tree --format json 'dist/app-1.0-py3-none-any.whl::*.so'"},
    {"runs-on", "wheelcheck runs-on dist/*.whl"},
    {"runs-on", "wheelcheck runs-on --on debian-12,ubuntu dist/*.whl"},
    {"interfaces", "wheelcheck interfaces dist/app-1.0-*.whl"},
    {"interfaces", "wheelcheck interfaces --format json dist"},
    {"explain", "wheelcheck explain WC102"},
    {"explain", "wheelcheck explain executable-stack --format markdown"},
    {"conflicts", "wheelcheck conflicts dist/app-1.0-*.whl dist/other-2.0-*.whl"},
    {"conflicts", "wheelcheck conflicts --environment .venv"},
    {"diff", "wheelcheck diff old/app-1.0-*.whl dist/app-1.0-*.whl"},
    {"diff", "wheelcheck diff --fail-on-new old/app-1.0-*.whl dist/app-1.0-*.whl"},
    {"release", "wheelcheck release dist"},
    {"release", "wheelcheck release --previous old dist"},
    {"fix", "wheelcheck fix --diff dist/app-1.0-*.whl"},
    {"fix", "wheelcheck fix --retag -o fixed dist/app-1.0-*.whl"},
    {"repair", "wheelcheck repair dist/*.whl"},
    {"repair", "wheelcheck repair --plat manylinux_2_28 --dry-run dist/*.whl"},
    {"sbom", "wheelcheck sbom dist/app-1.0-py3-none-any.whl"},
    {"sbom", "wheelcheck sbom --embed out dist/app-1.0-py3-none-any.whl"},
    {"library-index", "wheelcheck library-index rootfs -o libraries.json"},
    {"library-index", "wheelcheck library-index debian-12 debian-13 -o libraries.json"},
    {"rules", "wheelcheck rules"},
    {"rules", "wheelcheck rules --format json"},
    {"schema", "wheelcheck schema report"},
    {"schema", "wheelcheck schema config"},
    {"check-config", "wheelcheck check-config"},
    {"check-config", "wheelcheck check-config pyproject.toml"},
    {"policy", "wheelcheck policy list"},
    {"policy", "wheelcheck policy explain GLIBC_2.34"},
    {"policy list", "wheelcheck policy list"},
    {"policy list", "wheelcheck policy list --format json"},
    {"policy show", "wheelcheck policy show manylinux_2_28"},
    {"policy show", "wheelcheck policy show manylinux2014_x86_64 --format json"},
    {"policy diff", "wheelcheck policy diff manylinux_2_17 manylinux_2_28"},
    {"policy diff", "wheelcheck policy diff --arch aarch64 manylinux_2_28 manylinux_2_34"},
    {"policy validate", "wheelcheck policy validate policies"},
    {"policy validate", "wheelcheck policy validate --format json policies/own.json"},
    {"policy derive", "wheelcheck policy derive own_2_36 --libc 2.36 --root debian=rootfs"},
    {"policy derive", "wheelcheck policy derive manylinux_2_43 --root fedora=rootfs"},
    {"policy simulate", "wheelcheck policy simulate policies/own.json --on dist"},
    {"policy simulate", "wheelcheck policy simulate policies --facts ~/.cache/wheelcheck/facts"},
    {"policy explain", "wheelcheck policy explain GLIBC_2.34"},
    {"policy explain", "wheelcheck policy explain libz.so.1"},
    {"completions", "wheelcheck completions bash"},
    {"completions", "wheelcheck completions zsh -o _wheelcheck"},
    {"man", "wheelcheck man"},
    {"man", "wheelcheck man -o wheelcheck.1"},
};

// One entry: "  -j, --jobs N   text", the text on a line of its own where the words are long.
std::string entry(const std::string& words, const std::string& text) {
  const std::string indent(help_column, ' ');
  const std::string first = report::wrapped("  " + words, 0, 8, help_width);
  const bool beside = 2 + words.size() + 2 <= help_column;
  return (beside ? report::padded(first, help_column) : first + "\n" + indent) +
         report::wrapped(text, help_column, help_column, help_width) + "\n";
}

// The word for a value: its choices where they are few, N for a number.
std::string value_of(const OptionOutline& option) {
  const std::string choices = join(option.choices, "|");
  if (!option.choices.empty() && choices.size() <= 40)
    return choices + (option.value.ends_with("[=FILE]") ? "[=FILE]" : "");
  return option.value == "UINT" ? "N" : option.value;
}

std::string option_entry(const OptionOutline& option) {
  const bool is_short = option.names.front().size() == 2;
  std::string words = (is_short ? "" : "    ") + join(option.names, ", ");
  if (!option.value.empty()) words += " " + value_of(option);
  std::string text = option.text;
  // Choices that are too long for the place of the value.
  if (option.value == value_of(option) && !option.choices.empty()) text += ": " + join(option.choices, ", ");
  if (option.repeatable) text += " (may be repeated)";
  if (!option.initial.empty() && !option.value.empty()) text += fmt::format(" [default: {}]", option.initial);
  return entry(words, text);
}

std::string positional_entry(const OptionOutline& option) {
  std::string text = option.text;
  if (!option.choices.empty()) text += ": " + join(option.choices, ", ");
  return entry(option.value, text);
}

std::string usage(const std::string& name, const CLI::App& app, const std::vector<OptionOutline>& positionals) {
  std::string text = "wheelcheck";
  if (name != text) text += " " + name;
  const bool nested = !app.get_subcommands({}).empty();
  text += nested ? " [OPTIONS] COMMAND" : " [OPTIONS]";
  for (const OptionOutline& one : positionals) {
    const std::string word = one.value + (one.repeatable ? "..." : "");
    text += one.required ? " " + word : " [" + word + "]";
  }
  return "\nUsage: " + report::wrapped(text, 7, 9, help_width) + "\n";
}

// Options, then the other groups as they were added, then limits.
std::vector<std::string> groups_in_order(const std::vector<OptionOutline>& options) {
  std::vector<std::string> groups = {"Options"};
  for (const OptionOutline& option : options)
    if (std::ranges::find(groups, option.group) == groups.end()) groups.push_back(option.group);
  std::ranges::stable_partition(groups, [](const std::string& group) { return group != "Limits"; });
  return groups;
}

std::string exit_code_lines() {
  std::string text = "Exit codes: ";
  for (const ExitCode& exit : all_exit_codes())
    text += fmt::format("{}{} {}", exit.code == 0 ? "" : ", ", exit.code, exit.meaning);
  return "\n" + report::wrapped(text + ".", 0, 2, help_width) + "\n";
}

class HelpFormatter : public CLI::FormatterBase {
 public:
  std::string make_help(const CLI::App* app, std::string path, CLI::AppFormatMode /*mode*/) const override {
    const std::string name = path.starts_with("wheelcheck ") ? path.substr(11) : path;
    std::vector<OptionOutline> options, positionals;
    read_options(*app, options, positionals);
    // --help is known to everyone: last of its group.
    std::ranges::stable_partition(
        options, [](const auto& one) { return std::ranges::find(one.names, "--help") == one.names.end(); });
    std::string text =
        report::wrapped(app->get_description(), 0, 0, help_width) + "\n" + usage(name, *app, positionals);
    if (!positionals.empty()) text += "\nArguments:\n";
    for (const OptionOutline& one : positionals) text += positional_entry(one);
    if (const auto below = app->get_subcommands({}); !below.empty()) {
      text += "\nCommands:\n";
      for (const CLI::App* const one : below) text += entry(one->get_name(), one->get_description());
    }
    for (const std::string& group : groups_in_order(options)) {
      text += fmt::format("\n{}:\n", group);
      for (const OptionOutline& option : options)
        if (option.group == group) text += option_entry(option);
    }
    text += exit_code_lines();
    if (name == "wheelcheck") text += "`wheelcheck WHEEL...` is short for `wheelcheck check WHEEL...`.\n";
    text += "\nExamples:\n";
    for (const Example& example : command_examples)
      if (example.command == name) text += fmt::format("  {}\n", example.words);
    return text;
  }
};

}  // namespace

std::shared_ptr<CLI::FormatterBase> help_formatter() { return std::make_shared<HelpFormatter>(); }

}  // namespace wheelcheck::cli
