#include "tests/rules/scene.h"

namespace wheelcheck::test::variant_invalid_test {
namespace {

Scene with(const std::string& label, bool file) {
  WheelBuilder builder(wheel_2_17);
  if (file) builder.member("foo-1.0.dist-info/variant.json");
  builder.edit([=](WheelFacts& wheel) { wheel.name.variant = label; });
  return Scene(builder);
}

TEST(VariantInvalid, FiresForALabelWithoutFile) {
  const auto findings = with("x86_64_v3", false).run("variant-invalid");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has the variant label x86_64_v3 and no variant.json");
  EXPECT_EQ(evidence(findings[0], "missing"), "foo-1.0.dist-info/variant.json");
}

TEST(VariantInvalid, FiresForAFileWithoutLabel) {
  const Scene scene = with("", true);
  const auto findings = scene.run("variant-invalid");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(scene.path(findings[0]), "foo-1.0.dist-info/variant.json");
}

TEST(VariantInvalid, IsAnErrorWhereTheFileIsNotValid) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) {
    wheel.flaws.push_back({WheelArea::Variant, MemberIndex{0}, "foo-1.0.dist-info/variant.json", "is not valid JSON"});
  }));
  EXPECT_EQ(scene.run("variant-invalid").at(0).severity, Severity::Error);
}

TEST(VariantInvalid, IsSilentWhereBothOrNeitherIsThere) {
  EXPECT_TRUE(with("x86_64_v3", true).run("variant-invalid").empty());
  EXPECT_TRUE(with("", false).run("variant-invalid").empty());
}

}  // namespace
}  // namespace wheelcheck::test::variant_invalid_test
