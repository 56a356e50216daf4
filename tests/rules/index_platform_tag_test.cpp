#include "tests/rules/scene.h"

namespace wheelcheck::test::index_platform_tag_test {
namespace {

Scene of_index_platform_tag(const std::string& file, const std::string& index = "pypi") {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) { wheel.size = 1000; }));
  scene.options.index = index;
  return scene;
}

std::size_t count_platform_tag(const Scene& scene, const std::string& rule) { return scene.run(rule).size(); }

TEST(IndexPlatformTag, FiresForWhatPyPIDoesNotTake) {
  for (const char* tag : {"linux_x86_64", "manylinux_2_17_loongarch64", "musllinux_1_2_ppc64", "macosx_11_1_arm64",
                          "macosx_16_0_arm64", "manylinux_2_17_x86_64_v3", "manylinux_2_x86_64", "android_x86"})
    EXPECT_EQ(count_platform_tag(of_index_platform_tag("foo-1.0-py3-none-" + std::string(tag) + ".whl"),
                                 "index-platform-tag"),
              1U)
        << tag;
}

TEST(IndexPlatformTag, IsSilentForWhatItTakesAndWithoutAnIndex) {
  for (const char* tag : {"any", "linux_armv7l", "manylinux_2_17_ppc64", "musllinux_1_2_riscv64", "macosx_10_9_intel",
                          "MANYLINUX2014_x86_64", "ios_13_0_arm64_iphoneos", "win_arm64"})
    EXPECT_EQ(count_platform_tag(of_index_platform_tag("foo-1.0-py3-none-" + std::string(tag) + ".whl"),
                                 "index-platform-tag"),
              0U)
        << tag;
  EXPECT_EQ(count_platform_tag(of_index_platform_tag("foo-1.0-py3-none-linux_x86_64.whl", ""), "index-platform-tag"),
            0U);
}

}  // namespace
}  // namespace wheelcheck::test::index_platform_tag_test
