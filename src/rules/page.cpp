#include "rules/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/text.h"

namespace wheelcheck::rules {
namespace {

constexpr std::size_t text_columns = 80;
constexpr std::size_t markdown_columns = 120;

// Words of `text`, each line at most `columns` long where the words allow it.
std::string wrap(std::string_view text, std::size_t columns, std::string_view indent = "") {
  std::string result, line;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    if (!line.empty() && indent.size() + line.size() + 1 + word.size() > columns) {
      result.append(indent).append(line).append("\n");
      line.clear();
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty()) result.append(indent).append(line).append("\n");
  return result;
}

// A pipe ends a cell, also inside code.
std::string in_table(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

constexpr RuleGroup groups[] = {
    {"WC0", "Configuration: does it say what its author means", "configuration"},
    {"WC1", "Policy: does the wheel keep what its tags promise", "policy"},
    {"WC2", "Symbols and namespaces", "symbols"},
    {"WC3", "C++ ABI", "cxx-abi"},
    {"WC4", "CUDA and other devices", "gpu"},
    {"WC5", "Loader and linkage", "loader"},
    {"WC6", "Hardening", "hardening"},
    {"WC7", "Archive and metadata", "archive"},
    {"WC8", "Python ABI", "python-abi"},
    {"WC9", "Policy files", "policy-files"},
};
constexpr RuleGroup no_group = {"", "Others", "other"};

// Search paths that strangers can fill, memory that is writable and runs, names that leave the directory or hide what
// they are.
constexpr std::string_view about_security[] = {"WC501", "WC502", "WC503", "WC601", "WC602",
                                               "WC603", "WC605", "WC608", "WC704", "WC707"};

struct Danger {
  std::string_view code, severity;
};
// Who writes to a directory that is searched, or to memory that runs, runs code of his own: high where any local user
// may be that one, medium where it takes another hole first. Names that lie are what a scanner is led astray with.
constexpr Danger dangers[] = {{"WC501", "7.8"}, {"WC502", "7.8"}, {"WC503", "7.3"}, {"WC601", "5.5"},
                              {"WC602", "4.4"}, {"WC603", "5.5"}, {"WC704", "7.5"}, {"WC707", "5.3"}};

std::string classes_of(const Rule& rule, std::string_view mark) {
  std::string text =
      fmt::format("Severity: {0}{1}{0}, confidence: {0}{2}{0}", mark, name_of(rule.severity), name_of(rule.confidence));
  if (rule.pedantic) text += ". Pedantic: takes part with `--pedantic`, or where `--select` names it exactly";
  return text;
}

}  // namespace

const RuleGroup& group_of(const Rule& rule) {
  for (const RuleGroup& group : groups)
    if (rule.code.starts_with(group.prefix)) return group;
  return no_group;
}

std::vector<std::string_view> tags_of(const Rule& rule) {
  std::vector<std::string_view> tags = {group_of(rule).tag};
  if (std::ranges::find(about_security, rule.code) != std::end(about_security)) tags.emplace_back("security");
  std::ranges::sort(tags);
  return tags;
}

std::string_view security_severity_of(const Rule& rule) {
  const auto* const at = std::ranges::find(dangers, rule.code, &Danger::code);
  return at == std::end(dangers) ? std::string_view() : at->severity;
}

std::string rule_help_markdown(const Rule& rule) {
  return fmt::format("## Why\n\n{}\n## How to fix\n\n{}\n## Known false positives\n\n{}",
                     wrap(rule.why, markdown_columns), wrap(rule.remedy, markdown_columns),
                     wrap(rule.false_positives, markdown_columns));
}

std::string rule_help_text(const Rule& rule) {
  constexpr std::string_view indent = "  ";
  return fmt::format("Why\n{}\nHow to fix\n{}\nKnown false positives\n{}", wrap(rule.why, text_columns, indent),
                     wrap(rule.remedy, text_columns, indent), wrap(rule.false_positives, text_columns, indent));
}

std::string rule_page_markdown(const Rule& rule) {
  return fmt::format(
      "<!-- Written from the rule's source by tests/rules/pages_test.cpp; do not edit. -->\n\n# {} "
      "({})\n\n{}\n{}\n{}",
      rule.name, rule.code, wrap(rule.summary, markdown_columns), wrap(classes_of(rule, "**"), markdown_columns),
      rule_help_markdown(rule));
}

std::string rule_page_text(const Rule& rule) {
  constexpr std::string_view indent = "  ";
  return fmt::format("{} {}\n{}\n{}\n{}", rule.code, rule.name, wrap(rule.summary, text_columns, indent),
                     wrap(classes_of(rule, ""), text_columns, indent), rule_help_text(rule));
}

std::string rule_index_markdown(std::span<const Rule* const> rules) {
  std::string result =
      "<!-- Written from the rules' sources by tests/rules/pages_test.cpp; do not edit. -->\n\n# Rules\n\nCodes are "
      "never "
      "given twice. `--select` and `--ignore` take a code, the start of a code, or a name. `wheelcheck explain\nRULE` "
      "prints a page.\n";
  for (const RuleGroup& group : groups) {
    std::string rows;
    for (const Rule* rule : rules) {
      if (!rule->code.starts_with(group.prefix)) continue;
      rows += fmt::format("| {} | [{}]({}.md) | {}{} | {} | {} |\n", rule->code, rule->name, rule->name,
                          name_of(rule->severity), rule->pedantic ? ", pedantic" : "", name_of(rule->confidence),
                          in_table(rule->summary));
    }
    if (rows.empty()) continue;
    result += fmt::format("\n## {}\n\n| Code | Name | Severity | Confidence | Detects |\n|---|---|---|---|---|\n{}",
                          group.title, rows);
  }
  return result;
}

}  // namespace wheelcheck::rules
