#include "tests/rules/scene.h"

namespace wheelcheck::test::elf_no_sections_test {
namespace {

TEST(ElfNoSections, IsARemark) {
  const Scene scene(
      WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).edit([](ElfMember& m) { m.facts.has_sections = false; })));
  const auto findings = scene.run("elf-no-sections");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(ElfNoSections, IsSilentWhereTheyAreThere) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).run("elf-no-sections").empty());
}

}  // namespace
}  // namespace wheelcheck::test::elf_no_sections_test
