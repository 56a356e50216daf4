// The page of a rule: docs/rules/CODE-name.md, compiled into the program. `explain`, SARIF and the other reports read
// their text of a rule here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// The sections of a page, each as one paragraph of Markdown without line breaks. All are empty for a rule without page.
struct RulePage {
  std::string summary;          // "What it does", one sentence
  std::string why;              // "Why it matters"
  std::string fix;              // "How to fix"
  std::string false_positives;  // "False positives"
  std::vector<std::string> references;
  std::string_view markdown;  // the whole page
};
const RulePage& page_of(const Rule& rule);

// The hundreds of a code name the group of a rule.
struct RuleGroup {
  std::string_view prefix;  // WC5
  std::string_view title;   // "Loader and linkage"
  std::string_view tag;     // "loader", for programs
};
const RuleGroup& group_of(const Rule& rule);
// The group's tag, and "security" for a rule with a security class; sorted.
std::vector<std::string_view> tags_of(const Rule& rule);

// Codes that baselines, ignore entries and alerts may contain although no rule has them. A new rule never gets one.
struct RetiredCode {
  std::string_view code, why;
};
inline constexpr RetiredCode retired_codes[] = {{"WC002", "never given to a rule"}, {"WC112", "never given to a rule"}};

// The page without title and summary, as Markdown and as text for a terminal.
std::string rule_help_markdown(const Rule& rule);
std::string rule_help_text(const Rule& rule);
// The whole page with severity and confidence, as text of 80 columns that ends with a line end.
std::string rule_page_text(const Rule& rule);
std::string rule_page_markdown(const Rule& rule);
// docs/rules/README.md: every rule, by group.
std::string rule_index_markdown(std::span<const Rule* const> rules);

}  // namespace wheelcheck::rules
