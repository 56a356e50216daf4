#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::driver_linked_test {
namespace {

TEST(DriverLinked, IsAnErrorWhereAnImportLoadsIt) {
  const auto findings = Scene(wheel_of({ElfBuilder(module_so).needed("libcuda.so.1")})).run("driver-linked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "links libcuda.so.1, which only a machine with the NVIDIA driver has");
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("-lcuda out of the link line"));
}

TEST(DriverLinked, FollowsTheLibrariesOfTheWheel) {
  const ElfBuilder inner = ElfBuilder("foo/libinner.so").needed("libnvidia-ml.so.1").needed("libcuda.so.1");
  const auto behind = Scene(wheel_of({ElfBuilder(module_so).needed("libouter.so"),
                                      ElfBuilder("foo/libouter.so").needed("libinner.so"), inner}))
                          .run("driver-linked");
  ASSERT_EQ(behind.size(), 1U);
  EXPECT_EQ(behind[0].severity, Severity::Error);
  EXPECT_EQ(evidence(behind[0], "libraries"), "libcuda.so.1, libnvidia-ml.so.1");
  const auto plugin = Scene(wheel_of({ElfBuilder(module_so), inner})).run("driver-linked");
  ASSERT_EQ(plugin.size(), 1U);
  EXPECT_EQ(plugin[0].severity, Severity::Warning);
}

TEST(DriverLinked, SpeaksOfRocmToo) {
  const auto findings = Scene(wheel_of({ElfBuilder(module_so).needed("libamdhip64.so.6")})).run("driver-linked");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "links libamdhip64.so.6, which only a machine with ROCm installed has");
}

TEST(DriverLinked, IsSilentWhereItIsOpenedDeclaredOrInside) {
  EXPECT_TRUE(Scene(wheel_of({opener(module_so).names_library("libcuda.so.1")})).run("driver-linked").empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).needed("libcudart.so.12")})).run("driver-linked").empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).needed("libamdhip64.so.6"),
                              ElfBuilder("foo.libs/libamdhip64.so.6").soname("libamdhip64.so.6")}))
                  .run("driver-linked")
                  .empty());
  Scene declared(wheel_of({ElfBuilder(module_so).needed("libcuda.so.1")}));
  declared.needed(module_so, "libcuda.so.1").found = Found::Declared;
  EXPECT_TRUE(declared.run("driver-linked").empty());
}

}  // namespace
}  // namespace wheelcheck::test::driver_linked_test
