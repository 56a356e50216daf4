// tests/index has the wheels of Warehouse's tests; wheel_flaws_test.cpp the areas of all rules.
#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> uploaded(WheelArea area, const std::string& index) {
  Scene scene(WheelBuilder(wheel_2_17).edit([=](WheelFacts& wheel) {
    wheel.flaws.push_back({.area = area, .member = MemberIndex{0}, .subject = "x", .reason = "is refused"});
  }));
  scene.options.index = index;
  return scene.run("index-dependency");
}

TEST(IndexDependency, FiresForWhatTheReaderFound) {
  const auto findings = uploaded(WheelArea::IndexDependency, "pypi");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is refused");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(IndexDependency, IsSilentWithoutAnIndexAndForOtherAreas) {
  EXPECT_TRUE(uploaded(WheelArea::IndexDependency, "").empty());
  EXPECT_TRUE(uploaded(WheelArea::Metadata, "pypi").empty());
}

}  // namespace
}  // namespace wheelcheck::test
