#include "tests/rules/scene.h"

namespace wheelcheck::test::bytecode_packed_test {
namespace {

std::vector<Finding> findings(const std::vector<std::string>& paths, std::uint64_t archive_size = 1000) {
  WheelBuilder builder("foo-1.0-py3-none-any.whl");
  for (const std::string& path : paths) builder.member(path);
  return Scene(builder.edit([=](WheelFacts& wheel) { wheel.size = archive_size; })).run("bytecode-packed");
}

TEST(BytecodePacked, FiresOnceForAWheel) {
  const auto found = findings({"foo/__init__.py", "foo/__pycache__/__init__.cpython-311.pyc", "__pycache__/bar.pyc"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("(2 files)"));
}

TEST(BytecodePacked, IsSilentForOtherFilesAndInstalledOnes) {
  EXPECT_TRUE(findings({"foo/__init__.py", "foo/x.pyc", "foo/my__pycache__/x.pyc"}).empty());
  EXPECT_TRUE(findings({"foo/__pycache__/x.pyc"}, 0).empty());
}

}  // namespace
}  // namespace wheelcheck::test::bytecode_packed_test
