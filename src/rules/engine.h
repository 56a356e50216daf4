// Runs the rules over one wheel: which of them take part, in what order findings stand, and how many are kept.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "wheelcheck/rule.h"

namespace wheelcheck::rules {

// Code prefixes ("WC5", "wc601") or names ("executable-stack"), any case. Empty `select` is every rule. Where both
// lists name a rule, the more exact word wins; a draw ignores the rule.
// Pedantic rules take part where `pedantic` is set or `select` names them exactly: by whole code or by name.
struct RuleSelection {
  std::vector<std::string> select, ignore;
  bool pedantic = false;
};

inline constexpr std::size_t most_findings_of_one_rule = 1000;

// False for a word that no rule answers to: a typo must not pass as a selection.
bool is_selector(std::string_view word);
bool is_selected(const Rule& rule, const RuleSelection& selection);

// How exactly a word names a rule: 0 not at all, more for a longer start of its code, most for all of it or its name.
std::size_t exactness(const Rule& rule, std::string_view word);
// Worst first, then by code, then by place. All of them.
std::vector<Finding> find_all(const WheelView& view, const RuleSelection& selection, unsigned jobs = 1);
void sort_findings(const WheelFacts& wheel, std::vector<Finding>& findings);
// Of more than most_findings_of_one_rule, in a sorted list, the rest is one finding that counts them.
std::vector<Finding> within_limits(std::vector<Finding> findings);
// Both.
std::vector<Finding> run_rules(const WheelView& view, const RuleSelection& selection, unsigned jobs = 1);

// The same for rules that look at several wheels in one process.
std::vector<Finding> run_set_rules(const SetView& view, const RuleSelection& selection);
// What rules say of the configuration.
std::vector<Finding> run_config_rules(const ConfigView& view, const RuleSelection& selection);

// What `place` names: the member's path, the row's path, or "" for the wheel itself.
std::string_view path_of(const WheelFacts& wheel, const Place& place);

}  // namespace wheelcheck::rules
