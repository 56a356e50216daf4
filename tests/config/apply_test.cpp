// Tests the application of a configuration to settings: keys replace, lists add, overrides apply to some wheels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/read.h"
#include "tests/config/support.h"

namespace wheelcheck::config {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Apply, PutsEveryKeyIntoTheSettings) {
  Settings settings;
  apply(read_good(every_key).keys, settings);
  EXPECT_THAT(settings.required_tags, ElementsAre("manylinux_2_28"));
  EXPECT_THAT(settings.select, ElementsAre("WC"));
  EXPECT_THAT(settings.ignore, ElementsAre("WC604", "executable-stack"));
  EXPECT_TRUE(settings.pedantic);
  EXPECT_TRUE(settings.rules.self_contained);
  EXPECT_EQ(settings.fail_on, Severity::Warning);
  EXPECT_EQ(settings.severities.size(), 1U);
  EXPECT_EQ(settings.ignores.size(), 1U);
  EXPECT_THAT(settings.external, ElementsAre("libcudart.so.13"));
  EXPECT_THAT(settings.rules.own_namespaces, ElementsAre("tensorflow", "tsl"));
  EXPECT_THAT(settings.rules.own_sonames, ElementsAre("libtensorflow_*.so.2"));
  EXPECT_THAT(settings.rules.required_sm, ElementsAre(80U, 90U));
  EXPECT_EQ(settings.rules.max_wheel_bytes, 600'000'000U);
  EXPECT_EQ(settings.rules.max_exports, 5000U);
  EXPECT_EQ(settings.rules.leak_threshold, 10U);
  EXPECT_EQ(settings.rules.required_string_abi, StringAbi::New);
  EXPECT_EQ(settings.rules.export_budgets.size(), 1U);
  EXPECT_EQ(settings.rules.external.size(), 1U);
  EXPECT_EQ(settings.rules.size_budgets.at(0).bytes, 50'000'000U);
  EXPECT_EQ(settings.rules.forbidden_exports.at(0).path, "**/libtriton.so");
  EXPECT_EQ(settings.rules.allowed_exports.at(0).names, "foo_*");
  EXPECT_EQ(settings.rules.forbidden_needed.at(0).reason, "the driver is opened with dlopen");
}

TEST(Apply, LeavesWhatTheFileDoesNotSay) {
  Settings settings;
  settings.ignore = {"WC5"};
  settings.never_fail = true;
  apply(read_good("pedantic = true").keys, settings);
  EXPECT_THAT(settings.ignore, ElementsAre("WC5"));
  EXPECT_TRUE(settings.never_fail);
  apply(read_good("ignore = []\nfail-on = 'note'").keys, settings);
  EXPECT_THAT(settings.ignore, IsEmpty());
  EXPECT_FALSE(settings.never_fail);
  apply(read_good("fail-on = 'never'").keys, settings);
  EXPECT_TRUE(settings.never_fail);
}

Settings with_overrides(std::string_view text) {
  const Config config = read_good(text);
  Settings settings;
  apply(config.keys, settings);
  settings.overrides = config.overrides;
  return settings;
}

TEST(Overrides, AreForTheWheelsThatTheyName) {
  const Settings run = with_overrides("[[overrides]]\nwheel = '*-musllinux_*'\nignore = ['WC103']\n");
  EXPECT_FALSE(settings_for("foo-1-cp311-cp311-manylinux_2_28_x86_64.whl", run).has_value());
  const auto own = settings_for("foo-1-cp311-cp311-musllinux_1_2_x86_64.whl", run);
  ASSERT_TRUE(own.has_value());
  EXPECT_THAT(own->ignore, ElementsAre("WC103"));
}

TEST(Overrides, TakeThePlaceOfKeysAndAddEntriesTheLaterOneWins) {
  const Settings run = with_overrides(R"(
ignore = ["WC604"]
export-budget = { "**" = 10 }
[[ignore-rule]]
rule = "WC201"
[[overrides]]
wheel = "foo-*"
ignore = ["WC103"]
fail-on = "note"
export-budget = { "**/x.so" = 20 }
[[overrides.ignore-rule]]
rule = "WC601"
[[overrides]]
wheel = "*"
fail-on = "never"
)");
  const auto own = settings_for("foo-1-py3-none-any.whl", run);
  ASSERT_TRUE(own.has_value());
  EXPECT_THAT(own->ignore, ElementsAre("WC103"));
  EXPECT_TRUE(own->never_fail);
  ASSERT_EQ(own->ignores.size(), 2U);
  EXPECT_EQ(own->ignores[1].rule, "WC601");
  EXPECT_EQ(own->rules.export_budgets.at(0).exports, 20U) << "the first that matches counts";
  EXPECT_THAT(settings_for("bar-1-py3-none-any.whl", run)->ignore, ElementsAre("WC604"));
}

}  // namespace
}  // namespace wheelcheck::config
