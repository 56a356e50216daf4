#include "tests/rules/scene.h"

namespace wheelcheck::test::index_file_name_test {
namespace {

Scene of_index_file_name(const std::string& file, const std::string& index = "pypi") {
  Scene scene(WheelBuilder(file).edit([](WheelFacts& wheel) { wheel.size = 1000; }));
  scene.options.index = index;
  return scene;
}

std::size_t count_file_name(const Scene& scene, const std::string& rule) { return scene.run(rule).size(); }

TEST(IndexFileName, FiresForNamesThatAreNotNormalized) {
  for (const char* name : {"Foo", "foo.bar", "foo_Bar"})
    EXPECT_EQ(count_file_name(of_index_file_name(std::string(name) + "-1.0-py3-none-any.whl"), "index-file-name"), 1U)
        << name;
}

TEST(IndexFileName, IsSilentForNormalizedOnesAndWithoutAnIndex) {
  EXPECT_EQ(count_file_name(of_index_file_name("foo_bar-1.0-py3-none-any.whl"), "index-file-name"), 0U);
  EXPECT_EQ(count_file_name(of_index_file_name("Foo-1.0-py3-none-any.whl", ""), "index-file-name"), 0U);
}

}  // namespace
}  // namespace wheelcheck::test::index_file_name_test
