// The output of `wheelcheck rules --format json`: each rule as a reportingDescriptor of SARIF (SARIF 2.1.0, section
// 3.49), so that a SARIF log can contain the same object.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "report/shared/json_text.h"
#include "wheelcheck/finding.h"
#include "wheelcheck/rule.h"

namespace wheelcheck::report {

// A rule and the text of its page, which src/rules generates.
struct DescribedRule {
  const Rule* rule = nullptr;  // never null
  std::string help_text, help_markdown;
  std::vector<std::string_view> tags;
};
// docs/rules.schema.json
std::string render_rules_json(std::span<const DescribedRule> rules, std::string_view version);

// A rule as a reportingDescriptor of SARIF, the same in `rules --format json` and in a log.

std::string_view level_of(Severity severity);  // reportingConfiguration.level, 3.50.3
Json rule_descriptor(const DescribedRule& described);

}  // namespace wheelcheck::report
