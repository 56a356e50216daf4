#include "rules/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/embedded.h"
#include "base/text.h"

namespace wheelcheck {
extern const EmbeddedFile embedded_rule_pages[];
extern const std::size_t embedded_rule_pages_count;
}  // namespace wheelcheck

namespace wheelcheck::rules {
namespace {

constexpr std::size_t text_columns = 80;

// Wraps the words of `text` into lines of at most `columns`, unless a single word is longer.
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

// A pipe ends a table cell, even inside code.
std::string in_table(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

constexpr RuleGroup groups[] = {
    {"WC0", "Configuration", "configuration"},
    {"WC1", "Policy: is the content compatible with the tags", "policy"},
    {"WC2", "Symbols and namespaces", "symbols"},
    {"WC3", "C++ ABI", "cxx-abi"},
    {"WC4", "CUDA and other devices", "gpu"},
    {"WC5", "Loader and linkage", "loader"},
    {"WC6", "Hardening", "hardening"},
    {"WC7", "Archive and metadata", "archive"},
    {"WC85", "Upload to an index", "index"},  // before the prefix that it also has
    {"WC8", "Python ABI", "python-abi"},
    {"WC9", "Policy files", "policy-files"},
};
constexpr RuleGroup no_group = {"", "Others", "other"};

struct Section {
  std::string_view heading;
  std::string RulePage::* text;
};
constexpr Section sections[] = {{"What it does", &RulePage::summary},
                                {"Why it matters", &RulePage::why},
                                {"How to fix", &RulePage::fix},
                                {"False positives", &RulePage::false_positives}};

// The lines below "## heading", up to the next heading.
std::string_view section_of(std::string_view page, std::string_view heading) {
  const std::string start = fmt::format("\n## {}\n", heading);
  const std::size_t at = page.find(start);
  if (at == page.npos) return {};
  const std::string_view rest = page.substr(at + start.size());
  return rest.substr(0, rest.find("\n## "));
}

std::string one_line(std::string_view text) {
  std::string line;
  for (const std::string_view part : split(text, '\n')) {
    if (part.empty()) continue;
    if (!line.empty()) line += ' ';
    line += part;
  }
  return line;
}

RulePage parse_page(std::string_view markdown) {
  RulePage page{.markdown = markdown};
  for (const auto& [heading, text] : sections) page.*text = one_line(section_of(markdown, heading));
  for (const std::string_view line : split(section_of(markdown, "References"), '\n'))
    if (line.starts_with("- ")) page.references.emplace_back(line.substr(2));
  return page;
}

// By code. The pages are parsed once, at the first use.
std::map<std::string_view, RulePage> all_pages() {
  std::map<std::string_view, RulePage> pages;
  for (std::size_t i = 0; i < embedded_rule_pages_count; ++i) {
    const EmbeddedFile& file = embedded_rule_pages[i];
    pages.emplace(file.name.substr(0, file.name.find('-')), parse_page(file.text));
  }
  return pages;
}

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

const RulePage& page_of(const Rule& rule) {
  static const std::map<std::string_view, RulePage> pages = all_pages();
  static const RulePage none;
  const auto at = pages.find(rule.code);
  return at == pages.end() ? none : at->second;
}

std::vector<std::string_view> tags_of(const Rule& rule) {
  std::vector<std::string_view> tags = {group_of(rule).tag};
  if (rule.security != nullptr) tags.emplace_back("security");
  std::ranges::sort(tags);
  return tags;
}

std::string rule_help_markdown(const Rule& rule) {
  const std::string_view page = page_of(rule).markdown;
  return std::string(page.substr(std::min(page.find("## Why it matters"), page.size())));
}

std::string rule_help_text(const Rule& rule) {
  constexpr std::string_view indent = "  ";
  const RulePage& page = page_of(rule);
  return fmt::format("Why it matters\n{}\nHow to fix\n{}\nFalse positives\n{}", wrap(page.why, text_columns, indent),
                     wrap(page.fix, text_columns, indent), wrap(page.false_positives, text_columns, indent));
}

std::string rule_page_markdown(const Rule& rule) {
  return fmt::format("{}\n{}\n", page_of(rule).markdown, classes_of(rule, "**"));
}

std::string rule_page_text(const Rule& rule) {
  constexpr std::string_view indent = "  ";
  return fmt::format("{} {}\n{}\n{}\n{}", rule.code, rule.name, wrap(page_of(rule).summary, text_columns, indent),
                     wrap(classes_of(rule, ""), text_columns, indent), rule_help_text(rule));
}

std::string rule_index_markdown(std::span<const Rule* const> rules) {
  std::string result =
      "<!-- Written by tests/rules/pages_test.cpp with WHEELCHECK_UPDATE=1 from the rules and their pages. -->\n\n"
      "# Rules\n\nA code is never used twice. `--select` and `--ignore` take a code, the start of a code, or a name.\n"
      "`wheelcheck explain RULE` prints a page.\n";
  for (const RuleGroup& group : groups) {
    std::string rows;
    for (const Rule* rule : rules) {
      if (&group_of(*rule) != &group) continue;
      rows += fmt::format("| {} | [{}]({}-{}.md) | {}{} | {} | {} |\n", rule->code, rule->name, rule->code, rule->name,
                          name_of(rule->severity), rule->pedantic ? ", pedantic" : "", name_of(rule->confidence),
                          in_table(page_of(*rule).summary));
    }
    if (rows.empty()) continue;
    result += fmt::format("\n## {}\n\n| Code | Name | Severity | Confidence | Detects |\n|---|---|---|---|---|\n{}",
                          group.title, rows);
  }
  result += "\n## Codes without a rule\n\nThese codes are not given to new rules.\n\n| Code | Why |\n|---|---|\n";
  for (const RetiredCode& retired : retired_codes) result += fmt::format("| {} | {} |\n", retired.code, retired.why);
  return result;
}

}  // namespace wheelcheck::rules
