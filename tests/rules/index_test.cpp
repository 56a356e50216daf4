// The rules of --index that look at the file name and at sizes. tests/index has whole wheels.
#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

Scene named(const std::string& file, const std::string& index = "pypi") {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) { wheel.size = 1000; }));
  scene.options.index = index;
  return scene;
}

std::size_t count(const Scene& scene, const std::string& rule) { return scene.run(rule).size(); }

TEST(IndexPlatformTag, FiresForWhatPyPIDoesNotTake) {
  for (const char* tag : {"linux_x86_64", "manylinux_2_17_loongarch64", "musllinux_1_2_ppc64", "macosx_11_1_arm64",
                          "macosx_16_0_arm64", "manylinux_2_17_x86_64_v3", "manylinux_2_x86_64", "android_x86"})
    EXPECT_EQ(count(named("foo-1.0-py3-none-" + std::string(tag) + ".whl"), "index-platform-tag"), 1U) << tag;
}

TEST(IndexPlatformTag, IsSilentForWhatItTakesAndWithoutAnIndex) {
  for (const char* tag : {"any", "linux_armv7l", "manylinux_2_17_ppc64", "musllinux_1_2_riscv64", "macosx_10_9_intel",
                          "MANYLINUX2014_x86_64", "ios_13_0_arm64_iphoneos", "win_arm64"})
    EXPECT_EQ(count(named("foo-1.0-py3-none-" + std::string(tag) + ".whl"), "index-platform-tag"), 0U) << tag;
  EXPECT_EQ(count(named("foo-1.0-py3-none-linux_x86_64.whl", ""), "index-platform-tag"), 0U);
}

TEST(IndexFileName, FiresForNamesThatAreNotNormalized) {
  for (const char* name : {"Foo", "foo.bar", "foo_Bar"})
    EXPECT_EQ(count(named(std::string(name) + "-1.0-py3-none-any.whl"), "index-file-name"), 1U) << name;
}

TEST(IndexFileName, IsSilentForNormalizedOnesAndWithoutAnIndex) {
  EXPECT_EQ(count(named("foo_bar-1.0-py3-none-any.whl"), "index-file-name"), 0U);
  EXPECT_EQ(count(named("Foo-1.0-py3-none-any.whl", ""), "index-file-name"), 0U);
}

TEST(IndexSize, FiresAboveTheLimitAndAboveTheRatio) {
  Scene scene = named("foo-1.0-py3-none-any.whl");
  scene.options.max_wheel_bytes = 999;
  EXPECT_EQ(scene.run("index-size").size(), 1U);
  Scene bomb(WheelBuilder(wheel_2_17).member("foo/zeros", std::uint64_t{100} << 20).edit([](WheelFacts& wheel) {
    wheel.size = std::uint64_t{1} << 20;
  }));
  bomb.options.index = "pypi";
  EXPECT_EQ(bomb.run("index-size").size(), 1U);
}

TEST(IndexSize, IsSilentAtTheLimitAndForSmallContent) {
  Scene scene(WheelBuilder(wheel_2_17).member("foo/zeros", std::uint64_t{60} << 20).edit([](WheelFacts& wheel) {
    wheel.size = 1000;
  }));
  scene.options.index = "pypi";
  scene.options.max_wheel_bytes = 1000;
  EXPECT_TRUE(scene.run("index-size").empty());
}

Scene with_dist_info(const std::string& file) {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) {
    wheel.size = 1000;
    wheel.dist_info = "foo-1.0.dist-info";
  }));
  scene.options.index = "pypi";
  return scene;
}

TEST(IndexDistInfo, FiresForAnotherSpelling) {
  EXPECT_EQ(count(with_dist_info("foo-1.0.0-py3-none-any.whl"), "index-dist-info"), 1U);
}

TEST(IndexDistInfo, IsSilentForTheSameOneAndWithoutAnIndex) {
  EXPECT_EQ(count(with_dist_info("foo-1.0-py3-none-any.whl"), "index-dist-info"), 0U);
  Scene scene = with_dist_info("foo-1.0.0-py3-none-any.whl");
  scene.options.index = "";
  EXPECT_EQ(count(scene, "index-dist-info"), 0U);
}

}  // namespace
}  // namespace wheelcheck::test
