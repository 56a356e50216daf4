#include "tests/rules/scene.h"

namespace wheelcheck::test::forbidden_needed_test {
namespace {

Scene with_needs() {
  ElfBuilder elf(module_so);
  elf.exports("PyInit_x");
  return Scene(WheelBuilder(wheel_2_17).elf(elf.needed("libcuda.so.1").needed("libc.so.6")));
}

TEST(ForbiddenNeeded, FindsTheLibrary) {
  Scene scene = with_needs();
  scene.options.forbidden_needed = {{"libcuda.so.*", "", "the driver is opened with dlopen"}};
  const auto findings = scene.run("forbidden-needed");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires libcuda.so.1, which forbid-needed \"libcuda.so.*\" forbids: the driver is opened with dlopen");
}

TEST(ForbiddenNeeded, IsSilentAboutOthers) {
  Scene scene = with_needs();
  EXPECT_TRUE(scene.run("forbidden-needed").empty());
  scene.options.forbidden_needed = {{"libcudart*", "", "x"}, {"libcuda*", "bar/*", "x"}};
  EXPECT_TRUE(scene.run("forbidden-needed").empty());
}

}  // namespace
}  // namespace wheelcheck::test::forbidden_needed_test
