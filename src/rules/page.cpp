#include "rules/page.h"

#include <fmt/format.h>

#include <string_view>
#include <utility>

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

constexpr std::pair<std::string_view, std::string_view> groups[] = {
    {"WC1", "Policy: does the wheel keep what its tags promise"},
    {"WC2", "Symbols and namespaces"},
    {"WC3", "C++ ABI"},
    {"WC4", "CUDA and other devices"},
    {"WC5", "Loader and linkage"},
    {"WC6", "Hardening"},
    {"WC7", "Archive and metadata"},
    {"WC8", "Python ABI"},
    {"WC9", "Policy files"},
};

}  // namespace

std::string rule_page_markdown(const Rule& rule) {
  return fmt::format(
      "<!-- Written from the rule's source by tests/rules/pages_test.cpp; do not edit. -->\n\n# {} "
      "({})\n\n{}\nSeverity: "
      "**{}**\n\n## Why\n\n{}\n## How to fix\n\n{}\n## Known false positives\n\n{}",
      rule.name, rule.code, wrap(rule.summary, markdown_columns), name_of(rule.severity),
      wrap(rule.why, markdown_columns), wrap(rule.remedy, markdown_columns),
      wrap(rule.false_positives, markdown_columns));
}

std::string rule_page_text(const Rule& rule) {
  constexpr std::string_view indent = "  ";
  return fmt::format("{} {} ({})\n{}\nWhy\n{}\nHow to fix\n{}\nKnown false positives\n{}", rule.code, rule.name,
                     name_of(rule.severity), wrap(rule.summary, text_columns, indent),
                     wrap(rule.why, text_columns, indent), wrap(rule.remedy, text_columns, indent),
                     wrap(rule.false_positives, text_columns, indent));
}

std::string rule_index_markdown(std::span<const Rule* const> rules) {
  std::string result =
      "<!-- Written from the rules' sources by tests/rules/pages_test.cpp; do not edit. -->\n\n# Rules\n\nCodes are "
      "never "
      "given twice. `--select` and `--ignore` take a code, the start of a code, or a name. `wheelcheck explain\nRULE` "
      "prints a page.\n";
  for (const auto& [prefix, title] : groups) {
    std::string rows;
    for (const Rule* rule : rules) {
      if (!rule->code.starts_with(prefix)) continue;
      rows += fmt::format("| {} | [{}]({}.md) | {} | {} |\n", rule->code, rule->name, rule->name,
                          name_of(rule->severity), in_table(rule->summary));
    }
    if (rows.empty()) continue;
    result += fmt::format("\n## {}\n\n| Code | Name | Severity | Detects |\n|---|---|---|---|\n{}", title, rows);
  }
  return result;
}

}  // namespace wheelcheck::rules
