#include "tests/rules/gpu_scene.h"

namespace wheelcheck::test::dlopen_unversioned_test {
namespace {

TEST(DlopenUnversioned, FiresOnTheNameOfADevelopmentPackage) {
  const auto findings = Scene(wheel_of({opener(module_so)
                                            .names_library("libnvidia-ml.so")
                                            .names_library("libnvrtc.so")
                                            .names_library("libcudart.so.12")}))
                            .run("dlopen-unversioned");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "opens libnvidia-ml.so and 1 more, names that only development packages have");
  EXPECT_EQ(evidence(findings[0], "spelled"), "libnvidia-ml.so, libnvrtc.so");
  EXPECT_EQ(findings[0].fix, "open libnvidia-ml.so.1, libnvrtc.so.12 first");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

// mixxx-analyzer 0.1.2: FFmpeg's x264, whose option for OpenCL is off.
TEST(DlopenUnversioned, IsANoteForX264) {
  const auto run = [](const char* path) {
    return Scene(wheel_of({opener(path).names_library("libOpenCL.so")})).run("dlopen-unversioned").at(0);
  };
  EXPECT_EQ(run("foo.libs/libx264-35afd1ff.so.165").severity, Severity::Note);
  EXPECT_THAT(run("foo.libs/libx264-35afd1ff.so.165").fix, testing::HasSubstr("--disable-opencl"));
  EXPECT_EQ(run("foo/libother.so").severity, Severity::Warning);
}

TEST(DlopenUnversioned, FiresOnAPythonCallAndTellsItsLine) {
  const auto findings = Scene(wheel_of({ElfBuilder(module_so)})
                                  .member("foo/a.py")
                                  .edit(python_file("foo/a.py", {opens("libcudart.so", 7)}, {})))
                            .run("dlopen-unversioned");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "opens libcudart.so, a name that only development packages have");
  EXPECT_EQ(evidence(findings[0], "line"), "7");
  EXPECT_EQ(findings[0].fix, "open libcudart.so.MAJOR first");
}

TEST(DlopenUnversioned, IsSilentAboutCopiesOfTheToolkit) {
  EXPECT_TRUE(Scene(wheel_of({opener("foo/lib/libcupti.so.12").names_library("libcudart.so")}))
                  .run("dlopen-unversioned")
                  .empty());
}

TEST(DlopenUnversioned, IsSilentWhereAVersionIsTriedToo) {
  for (const char* other : {"libnvidia-ml.so.1", "libnvidia-ml.so.%d"})
    EXPECT_TRUE(Scene(wheel_of({opener(module_so).names_library("libnvidia-ml.so").names_library(other)}))
                    .run("dlopen-unversioned")
                    .empty())
        << other;
}

TEST(DlopenUnversioned, IsSilentWhereNothingIsOpenedOrTheNameIsRight) {
  EXPECT_TRUE(Scene(wheel_of({ElfBuilder(module_so).names_library("libnvrtc.so")})).run("dlopen-unversioned").empty());
  // iree_base_runtime 3.13.0: NVIDIA's driver and container toolkit make the link.
  EXPECT_TRUE(Scene(wheel_of({opener(module_so).names_library("libcuda.so")})).run("dlopen-unversioned").empty());
  EXPECT_TRUE(Scene(wheel_of({opener(module_so).names_library("libnvvm.so")})).run("dlopen-unversioned").empty());
  EXPECT_TRUE(
      Scene(wheel_of({opener(module_so).names_library("libnvrtc.so is missing")})).run("dlopen-unversioned").empty());
  EXPECT_TRUE(Scene(wheel_of({opener(module_so).names_library("libnvrtc.so"), ElfBuilder("foo/libnvrtc.so")}))
                  .run("dlopen-unversioned")
                  .empty());
  EXPECT_TRUE(
      Scene(
          wheel_of({ElfBuilder(module_so)}).member("foo/a.py").edit(python_file("foo/a.py", {}, {{"libnvrtc.so", 3}})))
          .run("dlopen-unversioned")
          .empty());
}

}  // namespace
}  // namespace wheelcheck::test::dlopen_unversioned_test
