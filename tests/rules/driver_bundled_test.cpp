#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::driver_bundled_test {
namespace {

TEST(DriverBundled, FiresOnAGraftedDriver) {
  const auto findings = Scene(wheel_of({ElfBuilder(module_so), ElfBuilder("foo.libs/libcuda-0a1b2c3d.so.550.54.15")}))
                            .run("driver-bundled");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is libcuda of the NVIDIA driver");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(DriverBundled, FiresOnASonameUnderAnotherFileName) {
  EXPECT_EQ(Scene(wheel_of({ElfBuilder("foo/libx.so").soname("libnvidia-ml.so.1")})).run("driver-bundled").size(), 1U);
}

TEST(DriverBundled, IsAWarningForStubs) {
  const auto findings = Scene(wheel_of({ElfBuilder("foo/lib/stubs/libcuda.so")})).run("driver-bundled");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("--exclude libcuda.so WHEEL"));
}

TEST(DriverBundled, IsSilentAboutTheToolkitAndTheOwnersWheels) {
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("foo.libs/libcudart.so.12")})).run("driver-bundled").empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("nvidia/lib/stubs/libcuda.so")},
                             "nvidia_cuda_driver_dev-1.0-py3-none-manylinux_2_17_x86_64.whl"))
                  .run("driver-bundled")
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::driver_bundled_test
