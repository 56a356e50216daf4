#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::gpu_lib_vendored_test {
namespace {

TEST(GpuLibVendored, NamesWhatToDependOn) {
  const auto findings = Scene(wheel_of({ElfBuilder(module_so).needed("libcudart-0a1b2c3d.so.12.4.127"),
                                        ElfBuilder("foo.libs/libcudart-0a1b2c3d.so.12.4.127"),
                                        ElfBuilder("foo.libs/libcudnn-0a1b2c3d.so.9.1.0")}))
                            .run("gpu-lib-vendored");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains 2 libraries of CUDA: CUDA runtime, cuDNN");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(
      findings[0].fix,
      "depend on nvidia-cuda-runtime-cu12, nvidia-cudnn-cu12 and leave the files out: auditwheel repair --exclude "
      "libcudart.so.12 --exclude libcudnn.so.9 WHEEL");
}

TEST(GpuLibVendored, SaysWhatMayNotBePassedOn) {
  const auto findings = Scene(wheel_of({ElfBuilder("foo/libcuinj64.so.12.4")})).run("gpu-lib-vendored");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "not on the licence's list of what may be passed on"), "libcuinj64.so.12.4");
}

TEST(GpuLibVendored, SpeaksOfRocmApart) {
  const auto findings =
      Scene(wheel_of({ElfBuilder("foo/libcudart.so.12"), ElfBuilder("foo/librocblas.so.4")})).run("gpu-lib-vendored");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[1].message, "contains 1 library of ROCm: rocBLAS");
}

TEST(GpuLibVendored, IsSilentAboutDriversProvidersAndOthers) {
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("foo/libcuda.so.1"), ElfBuilder("foo/libOpenCL.so.1")}))
                  .run("gpu-lib-vendored")
                  .empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("cutensor/lib/libcutensor.so.2")},
                             "cutensor_cu12-2.0-py3-none-manylinux2014_x86_64.whl"))
                  .run("gpu-lib-vendored")
                  .empty());
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).needed("libcudart.so.12")})).run("gpu-lib-vendored").empty());
}

}  // namespace
}  // namespace wheelcheck::test::gpu_lib_vendored_test
