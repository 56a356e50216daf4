// Rules as JSON, in the form of SARIF's reportingDescriptor.
#include "report/shared/rules_json.h"

#include <fmt/format.h>

#include "base/text.h"
#include "rules/page.h"

namespace wheelcheck::report {

std::string render_rules_json(std::span<const DescribedRule> rules, std::string_view version) {
  Json list = Json::array();
  for (const DescribedRule& rule : rules) list.push_back(rule_descriptor(rule));
  const Json document = {
      {"schema", "wheelcheck-rules"}, {"version", 1}, {"wheelcheck", safe(version)}, {"rules", std::move(list)}};
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

// SARIF requires PascalCase for the name of a rule (3.49.7): symbol-version-too-new becomes SymbolVersionTooNew.
std::string pascal_case(std::string_view name) {
  std::string out;
  for (const std::string_view word : split(name, '-')) {
    if (word.empty()) continue;
    out += is_lower(word.front()) ? static_cast<char>(word.front() - 'a' + 'A') : word.front();
    out += word.substr(1);
  }
  return out;
}

// A property for code scanning services: `problem.severity` is error, warning or recommendation.
std::string_view problem_of(Severity severity) {
  if (severity == Severity::Error) return "error";
  return severity == Severity::Warning ? "warning" : "recommendation";
}

}  // namespace

std::string_view level_of(Severity severity) {
  if (severity == Severity::Error) return "error";
  return severity == Severity::Warning ? "warning" : "note";
}

Json rule_descriptor(const DescribedRule& described) {
  const Rule& rule = *described.rule;
  const rules::RulePage& page = rules::page_of(rule);
  return {{"id", rule.code},
          {"name", pascal_case(rule.name)},
          {"shortDescription", {{"text", page.summary}}},
          {"fullDescription", {{"text", page.why}}},
          {"help", {{"text", described.help_text}, {"markdown", described.help_markdown}}},
          {"helpUri", fmt::format("docs/rules/{}-{}.md", rule.code, rule.name)},
          {"defaultConfiguration", {{"enabled", !rule.pedantic}, {"level", level_of(rule.severity)}}},
          {"properties",
           {{"rule", rule.name},
            {"precision", name_of(rule.confidence)},
            {"problem.severity", problem_of(rule.severity)},
            {"tags", texts(described.tags)}}}};
}

}  // namespace wheelcheck::report
