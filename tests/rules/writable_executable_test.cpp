#include "tests/rules/scene.h"

namespace wheelcheck::test::writable_executable_test {
namespace {

std::vector<Finding> run(bool both) {
  return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).edit([=](ElfMember& m) {
           m.facts.segments.writable_code = both;
         })))
      .run("writable-executable");
}

TEST(WritableExecutable, FiresForASegmentThatIsBoth) {
  ASSERT_EQ(run(true).size(), 1U);
  EXPECT_EQ(run(true)[0].severity, Severity::Warning);
}

TEST(WritableExecutable, IsSilentWhereCodeAndDataAreApart) { EXPECT_TRUE(run(false).empty()); }

}  // namespace
}  // namespace wheelcheck::test::writable_executable_test
