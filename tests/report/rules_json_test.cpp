// Tests the description of the rules for programs: it is complete for every rule.
#include "report/shared/rules_json.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "report/shared/registry.h"
#include "rules/page.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::rules_json_test {
namespace {

nlohmann::json document() {
  std::vector<report::DescribedRule> described;
  for (const Rule* rule : all_rules())
    described.push_back({rule, rules::rule_help_text(*rule), rules::rule_help_markdown(*rule), rules::tags_of(*rule)});
  return nlohmann::json::parse(report::render_rules_json(described, "1.2.3"));
}

void expect_no_empty_field(const nlohmann::json& value, const std::string& where) {
  if (value.is_structured()) {
    EXPECT_FALSE(value.empty()) << where;
    for (const auto& [key, below] : value.items()) expect_no_empty_field(below, where + "/" + key);
  } else {
    EXPECT_FALSE(value.is_null() || value == "") << where;
  }
}

TEST(RulesJson, ListsEveryRuleOnceWithNoFieldEmpty) {
  const nlohmann::json all = document();
  EXPECT_EQ(all["rules"].size(), all_rules().size());
  std::set<std::string> ids, names;
  for (const nlohmann::json& rule : all["rules"]) {
    expect_no_empty_field(rule, rule["id"]);
    EXPECT_TRUE(ids.insert(rule["id"]).second);
    EXPECT_TRUE(names.insert(rule["name"]).second);
  }
}

TEST(RulesJson, IsWhatTheSchemaSays) {
  const SchemaCheck schema(report::find_schema("rules"));
  nlohmann::json all = document();
  EXPECT_EQ(schema.errors(all), "");
  for (const char* pointer :
       {"", "/rules/0", "/rules/0/help", "/rules/0/defaultConfiguration", "/rules/0/properties"}) {
    nlohmann::json bad = all;
    bad[nlohmann::json::json_pointer(pointer)]["surprise"] = 1;
    EXPECT_NE(schema.errors(bad), "") << pointer;
  }
  all["rules"][0]["help"]["text"] = "";
  EXPECT_NE(schema.errors(all), "");
}

TEST(RulesJson, SaysLevelPrecisionAndTags) {
  const Rule* const rule = find_rule("executable-stack");
  ASSERT_NE(rule, nullptr);
  const nlohmann::json all = document();
  const auto at = std::ranges::find_if(all["rules"], [](const nlohmann::json& one) { return one["id"] == "WC601"; });
  ASSERT_NE(at, all["rules"].end());
  EXPECT_EQ((*at)["name"], "ExecutableStack");
  EXPECT_EQ((*at)["helpUri"], "docs/rules/WC601-executable-stack.md");
  EXPECT_EQ((*at)["defaultConfiguration"]["level"], "error");
  EXPECT_EQ((*at)["properties"]["precision"], "high");
  EXPECT_EQ((*at)["properties"]["tags"], nlohmann::json({"hardening", "security"}));
}

TEST(RulesJson, APedanticInfoIsANoteThatIsOff) {
  const Rule rule{.code = "WC999",
                  .name = "odd-thing",
                  .severity = Severity::Note,
                  .confidence = Confidence::Low,
                  .pedantic = true,
                  .check = nullptr};
  const report::DescribedRule described[] = {{&rule, "t", "m", {"tag"}}};
  const nlohmann::json one = nlohmann::json::parse(report::render_rules_json(described, "1"))["rules"][0];
  EXPECT_EQ(one["defaultConfiguration"], nlohmann::json({{"enabled", false}, {"level", "note"}}));
  EXPECT_EQ(one["properties"]["problem.severity"], "recommendation");
  EXPECT_EQ(one["properties"]["precision"], "low");
}

}  // namespace
}  // namespace wheelcheck::test::rules_json_test
