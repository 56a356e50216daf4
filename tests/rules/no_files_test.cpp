#include "tests/rules/scene.h"

namespace wheelcheck::test::no_files_test {
namespace {

std::vector<Finding> run(const std::vector<std::string>& paths) {
  WheelBuilder wheel("foo-1.0-py3-none-any.whl");
  for (const std::string& path : paths) wheel.member(path);
  return Scene(std::move(wheel)).run("no-files");
}

TEST(NoFiles, FiresWhereOnlyTheDescriptionIsThere) {
  const auto findings = run({"foo-1.0.dist-info/METADATA", "foo-1.0.dist-info/licenses/LICENSE"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "contains no file beside foo-1.0.dist-info/: nothing can be imported or run after it is installed");
}

// cuquantum 26.3.0: a "meta-package" of five requirements. WC118 leaves it to this rule.
TEST(NoFiles, IsANoteForAWheelThatOnlyRequires) {
  WheelFacts wheel = WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl").build();
  wheel.metadata->requires_dist = {"foo-core==1.0"};
  const Scene scene(std::move(wheel));
  EXPECT_EQ(scene.run("no-files").at(0).severity, Severity::Note);
  EXPECT_TRUE(scene.run("platform-without-code").empty());
}

TEST(NoFiles, IsSilentWithAnyOtherFile) {
  EXPECT_TRUE(run({"foo-1.0.dist-info/METADATA", "foo.py"}).empty());
  EXPECT_TRUE(run({"foo-1.0.dist-info/METADATA", "foo-1.0.data/scripts/foo"}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::no_files_test
