#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

TEST(ZipUnsafePath, IsAWarning) {
  const Scene scene(WheelBuilder(wheel_2_17).member("foo/link").edit([](WheelFacts& wheel) {
    wheel.flaws.push_back(
        {.area = WheelArea::Member, .member = {}, .subject = "foo/link", .reason = "is a symbolic link"});
  }));
  const auto findings = scene.run("zip-unsafe-path");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(scene.path(findings[0]), "foo/link");
}

TEST(ZipUnsafePath, IsSilentAboutPlainFiles) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).member("foo/link")).run("zip-unsafe-path").empty());
}

}  // namespace
}  // namespace wheelcheck::test
