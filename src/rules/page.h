// The page of a rule, for `wheelcheck explain` and docs/rules: one text, from the rule itself, so the two cannot drift.
#pragma once

#include <span>
#include <string>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

std::string rule_page_markdown(const Rule& rule);
std::string rule_page_text(const Rule& rule);  // wrapped at 80 columns, ends with a line end
// docs/rules/README.md: every rule, by group.
std::string rule_index_markdown(std::span<const Rule* const> rules);

}  // namespace wheelcheck::rules
