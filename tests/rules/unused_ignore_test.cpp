#include "tests/rules/config_scene.h"

namespace wheelcheck::test::unused_ignore_test {
namespace {

TEST(UnusedIgnore, FiresWhereNothingWasIgnored) {
  const auto findings = run_config("unused-ignore", {.ignore = &leaks, .findings = 0, .judged = true});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "the ignore-rule for WC201 at w.toml:7 matches no finding");
  EXPECT_EQ(evidence(findings[0], "path"), "**/libx.so");
  EXPECT_EQ(evidence(findings[0], "reason"), "tracked in #123");
}

TEST(UnusedIgnore, IsSilentWhereItIgnoresAFinding) {
  EXPECT_TRUE(run_config("unused-ignore", {.ignore = &leaks, .findings = 1, .judged = true}).empty());
}

TEST(UnusedIgnore, IsSilentWhereItsRuleTookNoPart) {
  EXPECT_TRUE(run_config("unused-ignore", {.ignore = &leaks, .findings = 0, .judged = false}).empty());
}

TEST(UnusedIgnore, LeavesAnExpiredOneToItsOwnRule) {
  EXPECT_TRUE(run_config("unused-ignore", {.ignore = &leaks, .judged = true, .expired = Date{2028, 1, 1}}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::unused_ignore_test
