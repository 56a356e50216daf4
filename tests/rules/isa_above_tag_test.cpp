#include "tests/rules/scene.h"

namespace wheelcheck::test::isa_above_tag_test {
namespace {

TEST(IsaAboveTag, NamesTheLevel) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).isa(4)));
  const auto findings = scene.requires_at(module_so, IsaRequirement{3}, everywhere).run("isa-above-tag");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires an x86-64-v3 processor, manylinux_2_17_x86_64 allows only the baseline");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(IsaAboveTag, IsSilentWhereTheTagAllowsTheLevel) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).isa(1)));
  EXPECT_TRUE(scene.run("isa-above-tag").empty());
  EXPECT_TRUE(scene.requires_at(module_so, IsaRequirement{2}, nowhere).run("isa-above-tag").empty());
}

}  // namespace
}  // namespace wheelcheck::test::isa_above_tag_test
