#include "tests/rules/scene.h"

namespace wheelcheck::test::metadata_mismatch_test {
namespace {

TEST(MetadataMismatch, HandsOnWhatWasNoted) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) {
    wheel.flaws.push_back({.area = WheelArea::Metadata,
                           .member = MemberIndex{0},
                           .subject = "foo-1.0.dist-info/METADATA",
                           .reason = "names the version 2.0, the file name 1.0"});
  }));
  const auto findings = scene.run("metadata-mismatch");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(scene.path(findings[0]), "foo-1.0.dist-info/METADATA");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(MetadataMismatch, IsSilentWhereNothingWasNoted) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17)).run("metadata-mismatch").empty());
}

}  // namespace
}  // namespace wheelcheck::test::metadata_mismatch_test
