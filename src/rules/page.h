// The page of a rule, for `wheelcheck explain` and docs/rules: one text, from the rule itself, so the two cannot drift.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// What kind of trouble rules of a group are about: the hundreds of a code name its group.
struct RuleGroup {
  std::string_view prefix;  // WC5
  std::string_view title;   // "Loader and linkage"
  std::string_view tag;     // "loader", one word for programs
};
const RuleGroup& group_of(const Rule& rule);
// The group's tag, and "security" where the finding is about what an attacker can do with it; sorted.
std::vector<std::string_view> tags_of(const Rule& rule);

// How bad it would be if an attacker used what the rule finds, as code scanning services count it: a number from 0.1 to
// 10.0 (https://docs.github.com/en/code-security/reference/code-scanning/sarif-files/sarif-support); "" where nobody
// could.
std::string_view security_severity_of(const Rule& rule);

std::string rule_page_markdown(const Rule& rule);
// Why, how to fix and known false positives: the page without title and summary, as markdown and as text.
std::string rule_help_markdown(const Rule& rule);
std::string rule_help_text(const Rule& rule);
std::string rule_page_text(const Rule& rule);  // wrapped at 80 columns, ends with a line end
// docs/rules/README.md: every rule, by group.
std::string rule_index_markdown(std::span<const Rule* const> rules);

}  // namespace wheelcheck::rules
