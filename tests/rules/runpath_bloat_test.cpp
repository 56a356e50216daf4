#include "tests/rules/scene.h"

namespace wheelcheck::test::runpath_bloat_test {
namespace {

ElfBuilder with_elements(int count, int distinct, std::size_t length = 10) {
  ElfBuilder elf(module_so);
  for (int i = 0; i < count; ++i) {
    std::string element = "$ORIGIN/" + std::to_string(i % distinct);
    element.resize(std::max(element.size(), length), 'x');
    elf.runpath(element);
  }
  return elf;
}
std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("runpath-bloat");
}

TEST(RunpathBloat, FiresAboveThirtyTwoElements) {
  const auto findings = run(with_elements(33, 33));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "RUNPATH has 33 elements");
}

TEST(RunpathBloat, IsSilentUpToThirtyTwoDifferentOnes) {
  EXPECT_TRUE(run(with_elements(32, 32)).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so)).empty());
}

TEST(RunpathBloat, LeavesPathsOfEmptyElementsToTheirOwnRule) {
  ElfBuilder elf(module_so);
  for (int i = 0; i < 95; ++i) elf.runpath("");
  EXPECT_TRUE(run(elf).empty());
}

TEST(RunpathBloat, FiresAboveFourKilobytes) {
  EXPECT_EQ(run(with_elements(4, 4, 1023)).size(), 0U);
  const auto findings = run(with_elements(4, 4, 1024));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has 4 elements and 4099 bytes");
}

TEST(RunpathBloat, IsAnInfoWhereAShortPathRepeatsItself) {
  const auto findings = run(with_elements(3, 2));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(findings[0].message, testing::EndsWith("1 of them repeated"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("'$ORIGIN/0x:$ORIGIN/1x'"));
}

}  // namespace
}  // namespace wheelcheck::test::runpath_bloat_test
