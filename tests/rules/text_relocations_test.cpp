#include "tests/rules/scene.h"

namespace wheelcheck::test::text_relocations_test {
namespace {

std::vector<Finding> run(bool flag) {
  return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).flags([=](LoaderFlags& flags) {
           flags.text_relocations = flag;
         })))
      .run("text-relocations");
}

TEST(TextRelocations, FiresForTheFlag) {
  ASSERT_EQ(run(true).size(), 1U);
  EXPECT_EQ(run(true)[0].severity, Severity::Warning);
  EXPECT_EQ(run(true)[0].message,
            "is marked for relocations in its code (DT_TEXTREL): the loader makes the code writable for them");
}

TEST(TextRelocations, IsSilentWithoutIt) { EXPECT_TRUE(run(false).empty()); }

TEST(TextRelocations, DoesNotAskAFileWithoutADynamicSection) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/tool").no_dynamic())).run("text-relocations").empty());
}

}  // namespace
}  // namespace wheelcheck::test::text_relocations_test
