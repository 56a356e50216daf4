#include "tests/rules/scene.h"

namespace wheelcheck::test::index_dist_info_test {
namespace {

std::size_t count_dist_info(const Scene& scene, const std::string& rule) { return scene.run(rule).size(); }

Scene with_dist_info(const std::string& file) {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) {
    wheel.size = 1000;
    wheel.dist_info = "foo-1.0.dist-info";
  }));
  scene.options.index = "pypi";
  return scene;
}

TEST(IndexDistInfo, FiresForAnotherSpelling) {
  EXPECT_EQ(count_dist_info(with_dist_info("foo-1.0.0-py3-none-any.whl"), "index-dist-info"), 1U);
}

TEST(IndexDistInfo, IsSilentForTheSameOneAndWithoutAnIndex) {
  EXPECT_EQ(count_dist_info(with_dist_info("foo-1.0-py3-none-any.whl"), "index-dist-info"), 0U);
  Scene scene = with_dist_info("foo-1.0.0-py3-none-any.whl");
  scene.options.index = "";
  EXPECT_EQ(count_dist_info(scene, "index-dist-info"), 0U);
}

}  // namespace
}  // namespace wheelcheck::test::index_dist_info_test
