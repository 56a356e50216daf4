#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::one_path_two_wheels_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

WheelBuilder with_file(const std::string& name, const std::string& path, const std::string& hash) {
  return wheel_of(name).member(path).edit([=](WheelFacts& w) {
    std::erase_if(*w.record, [&](const RecordRow& row) { return row.path == path; });
    w.record->push_back({.path = path, .hash = hash, .size = 1});
  });
}
std::vector<Finding> found(const std::string& path, const std::string& first, const std::string& second) {
  return played(Together({with_file("one", path, first), with_file("two", path, second)}), "one-path-two-wheels");
}

TEST(OnePathTwoWheels, NamesThePathsAndTheWinner) {
  const auto findings = found("pkg/__init__.py", "sha256=a", "sha256=b");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "one and two both install pkg/__init__.py with different content");
  EXPECT_EQ(found("tests/__init__.py", "sha256=a", "sha256=b").at(0).severity, Severity::Warning);
  EXPECT_EQ(found("conftest.py", "sha256=a", "sha256=b").at(0).severity, Severity::Warning);
  // chroma-hnswlib 0.7.6 and hnswlib 0.8.0: an Index of the other has no file_handle_count.
  EXPECT_EQ(found("ext.abi3.so", "sha256=a", "sha256=b").at(0).severity, Severity::Error);
}

// OpenMM 8.2.0 and OpenMM-CUDA-12 8.6.1, which its extra installs, both contain the headers.
TEST(OnePathTwoWheels, IsANoteForWhatOnlyCompilersRead) {
  EXPECT_EQ(found("one.libs/include/one.h", "sha256=a", "sha256=b").at(0).severity, Severity::Note);
  EXPECT_EQ(found("pkg/api.pxd", "sha256=a", "sha256=b").at(0).severity, Severity::Note);
  EXPECT_EQ(found("pkg/data.json", "sha256=a", "sha256=b").at(0).severity, Severity::Error);
}

// pyproject-parser 0.11.1 and pyproject-fmt 2.1.3 both have a script pyproject-fmt.
TEST(OnePathTwoWheels, NamesScriptsOfEntryPoints) {
  const auto with_script = [](const std::string& name, const std::string& object) {
    return wheel_of(name).edit([=](WheelFacts& w) { w.scripts.push_back({.name = "fmt", .object = object}); });
  };
  const auto both = [&](const std::string& first, const std::string& second) {
    return played(Together({with_script("one", first), with_script("two", second)}), "one-path-two-wheels");
  };
  const auto findings = both("one.cli:main", "two:run");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message, "one and two both install bin/fmt with different content");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(both("one.cli:main", "one.cli:main"), IsEmpty());
  // tensorflow 2.14 and tensorboard: an environment has the file that pip wrote as well.
  const auto in_environment =
      with_script("one", "one.cli:main").member("one-1.0.data/scripts/fmt").edit([](WheelFacts& wheel) {
        wheel.dist_info = "one-1.0.dist-info";
      });
  EXPECT_THAT(played(Together({in_environment, with_script("two", "one.cli:main")}), "one-path-two-wheels"), IsEmpty());
}

TEST(OnePathTwoWheels, IsSilentOnNamespacesAndMetadata) {
  EXPECT_THAT(found("google/__init__.py", "sha256=a", "sha256=a"), IsEmpty());
  EXPECT_THAT(found("one-1.0.dist-info/licenses/LICENSE", "sha256=a", "sha256=b"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::one_path_two_wheels_test
