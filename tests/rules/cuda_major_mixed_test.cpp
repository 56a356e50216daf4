#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::cuda_major_mixed_test {
namespace {

std::vector<Finding> of(const ElfBuilder& file, std::vector<std::string> required = {}) {
  return Scene(wheel_of({file}).edit(requires_dist(std::move(required)))).run("cuda-major-mixed");
}

TEST(CudaMajorMixed, FiresWhereLinkedAndNamedMajorsDiffer) {
  const auto findings = of(ElfBuilder(module_so).needed("libcudart.so.13").names_library("libnvrtc.so.12"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "uses libraries of CUDA 12 and 13");
  EXPECT_EQ(evidence(findings[0], "CUDA 12"), "libnvrtc.so.12");
  EXPECT_EQ(evidence(findings[0], "CUDA 13"), "libcudart.so.13");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(CudaMajorMixed, FiresWhereTwoMajorsAreLinked) {
  EXPECT_EQ(of(ElfBuilder(module_so).needed("libcudart.so.12").needed("libcublas.so.13")).size(), 1U);
  // cuFFT 11 is part of CUDA 12.
  EXPECT_EQ(of(ElfBuilder(module_so).needed("libcufft.so.11").needed("libcublas.so.13")).size(), 1U);
}

TEST(CudaMajorMixed, FiresWhereMetadataRequiresAnotherMajor) {
  const auto findings = of(ElfBuilder(module_so).needed("libcudart.so.13"), {"nvidia-cublas-cu12; extra == 'cuda'"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "CUDA 12"), "nvidia-cublas-cu12");
}

TEST(CudaMajorMixed, IsSilentAboutLoadersThatTrySeveral) {
  const ElfBuilder loader = ElfBuilder(module_so)
                                .names_library("libcudart.so.12")
                                .names_library("libcudart.so.13")
                                .names_library("libnvrtc.so.12");
  EXPECT_TRUE(of(loader).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so)
                     .needed("libcudart.so.13")
                     .names_library("libnvrtc.so.12")
                     .names_library("libnvrtc.so.13"))
                  .empty());
}

TEST(CudaMajorMixed, IsSilentWhereAllAgreeOrSayNothing) {
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libcudart.so.12").needed("libcufft.so.11").needed("libcurand.so.10"),
                 {"nvidia-cublas-cu12", "nvidia-cublas; extra == 'cu13'"})
                  .empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).needed("libcudart.so.12").needed("libamdhip64.so.6")).empty());
  // One file per major version.
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder("foo/liba.so").needed("libcudart.so.12"),
                              ElfBuilder("foo/libb.so").needed("libcudart.so.13")}))
                  .run("cuda-major-mixed")
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::cuda_major_mixed_test
