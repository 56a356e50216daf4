#include "tests/rules/scene.h"

namespace wheelcheck::test::index_size_test {
namespace {

Scene of_index_size(const std::string& file, const std::string& index = "pypi") {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) { wheel.size = 1000; }));
  scene.options.index = index;
  return scene;
}

TEST(IndexSize, FiresAboveTheLimitAndAboveTheRatio) {
  Scene scene = of_index_size("foo-1.0-py3-none-any.whl");
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

}  // namespace
}  // namespace wheelcheck::test::index_size_test
