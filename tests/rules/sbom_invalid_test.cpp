#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

TEST(SbomInvalid, FiresForWhatTheReaderNoted) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) {
    wheel.flaws.push_back({WheelArea::Sbom, MemberIndex{0}, "foo-1.0.dist-info/sboms/x.json", "lists no components"});
  }));
  const auto findings = scene.run("sbom-invalid");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "lists no components");
}

TEST(SbomInvalid, IsSilentWithoutSuchAFlaw) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).member("foo-1.0.dist-info/sboms/x.cdx.json")).run("sbom-invalid").empty());
}

}  // namespace
}  // namespace wheelcheck::test
