// tests/index has the wheels of Warehouse's tests; wheel_flaws_test.cpp the areas of all rules.
#include "tests/rules/index_scene.h"

namespace wheelcheck::test::index_entry_points_test {
namespace {

TEST(IndexEntryPoints, FiresForWhatTheReaderFound) {
  const auto findings = findings_at_upload("index-entry-points", WheelArea::IndexEntryPoints, "pypi");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is refused");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(IndexEntryPoints, IsSilentWithoutAnIndexAndForOtherAreas) {
  EXPECT_TRUE(findings_at_upload("index-entry-points", WheelArea::IndexEntryPoints, "").empty());
  EXPECT_TRUE(findings_at_upload("index-entry-points", WheelArea::Metadata, "pypi").empty());
}

}  // namespace
}  // namespace wheelcheck::test::index_entry_points_test
