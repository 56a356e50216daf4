#include "tests/rules/scene.h"

namespace wheelcheck::test::record_mismatch_test {
namespace {

TEST(RecordMismatch, NamesTheRowAndTheFault) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) {
    wheel.flaws.push_back(
        {.area = WheelArea::Record, .member = {}, .subject = "foo/gone.py", .reason = "is not in the archive"});
  }));
  const auto findings = scene.run("record-mismatch");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(scene.path(findings[0]), "foo/gone.py");
  EXPECT_EQ(findings[0].message, "is not in the archive");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(RecordMismatch, IsSilentWhereNothingWasNoted) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17)).run("record-mismatch").empty());
}

}  // namespace
}  // namespace wheelcheck::test::record_mismatch_test
