#include "tests/rules/config_scene.h"

namespace wheelcheck::test::expired_ignore_test {
namespace {

TEST(ExpiredIgnore, FiresAfterItsLastDay) {
  const auto findings = run_config("expired-ignore", {.ignore = &leaks, .expired = Date{2027, 2, 1}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "the ignore-rule for WC201 at w.toml:7 ended on 2027-01-31");
  EXPECT_EQ(evidence(findings[0], "compared with"), "2027-02-01");
}

TEST(ExpiredIgnore, IsSilentWhileItHolds) {
  EXPECT_TRUE(run_config("expired-ignore", {.ignore = &leaks, .findings = 1, .judged = true}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::expired_ignore_test
