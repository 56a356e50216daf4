#include "tests/rules/config_scene.h"

namespace wheelcheck::test::ignore_without_reason_test {
namespace {

TEST(IgnoreWithoutReason, FiresWithoutOne) {
  IgnoreRule ignore = leaks;
  ignore.reason.clear();
  const auto findings = run_config("ignore-without-reason", {.ignore = &ignore, .findings = 1, .judged = true});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "the ignore-rule for WC201 at w.toml:7 has no reason");
}

TEST(IgnoreWithoutReason, IsSilentWithOne) {
  EXPECT_TRUE(run_config("ignore-without-reason", {.ignore = &leaks, .findings = 1, .judged = true}).empty());
}

TEST(IgnoreWithoutReason, IsPedantic) {
  IgnoreRule ignore = leaks;
  ignore.reason.clear();
  const IgnoreUse use{.ignore = &ignore};
  EXPECT_TRUE(rules::run_config_rules({{&use, 1}}, {.select = {"WC0"}, .ignore = {}}).empty());
  EXPECT_EQ(rules::run_config_rules({{&use, 1}}, {.select = {"WC0"}, .ignore = {}, .pedantic = true}).size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test::ignore_without_reason_test
