#include "tests/rules/scene.h"

namespace wheelcheck::test::retired_tag_test {
namespace {

std::vector<Finding> of(const std::string& platforms) {
  return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + platforms + ".whl").elf(ElfBuilder(module_so))).run("retired-tag");
}

TEST(RetiredTag, FiresWhereNothingNewerIsClaimed) {
  const auto findings = of("manylinux_2_24_x86_64");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].confidence, Confidence::Low);
  EXPECT_EQ(findings[0].message,
            "claims no tag newer than manylinux_2_24_x86_64: its build image manylinux_2_24 (Debian 9) is end of life "
            "since 2023-01-01");
  EXPECT_EQ(of("manylinux1_x86_64").size(), 1U);
  EXPECT_EQ(of("manylinux_2_12_x86_64.manylinux2010_x86_64").size(), 1U);
  EXPECT_EQ(of("musllinux_1_1_aarch64").size(), 1U);
}

TEST(RetiredTag, IsSilentWhereANewerTagStandsBesideIt) {
  EXPECT_TRUE(of("manylinux_2_24_x86_64.manylinux_2_28_x86_64").empty());
  EXPECT_TRUE(of("manylinux1_x86_64.manylinux_2_17_x86_64.manylinux_2_5_x86_64").empty());
}

TEST(RetiredTag, IsSilentForTagsThatAreKeptUp) {
  for (const char* tag : {"manylinux2014_x86_64", "manylinux_2_28_x86_64", "musllinux_1_2_x86_64", "linux_x86_64"})
    EXPECT_TRUE(of(tag).empty()) << tag;
}

}  // namespace
}  // namespace wheelcheck::test::retired_tag_test
