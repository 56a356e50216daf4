#include "tests/rules/scene.h"

namespace wheelcheck::test::tag_mismatch_test {
namespace {

std::vector<Finding> run(const std::string& name, std::vector<std::string> tags) {
  return Scene(WheelBuilder(name).edit([=](WheelFacts& wheel) { wheel.wheel->tags = tags; })).run("tag-mismatch");
}
const std::string two = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl";

TEST(TagMismatch, ReportsBothDifferences) {
  const auto findings = run(wheel_2_17, {"cp311-cp311-linux_x86_64"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "claims cp311-cp311-linux_x86_64, the file name cp311-cp311-manylinux_2_17_x86_64");
  EXPECT_EQ(evidence(findings[0], "only in the file name"), "cp311-cp311-manylinux_2_17_x86_64");
  EXPECT_EQ(evidence(findings[0], "only in WHEEL"), "cp311-cp311-linux_x86_64");
  EXPECT_EQ(findings[0].severity, Severity::Warning) << "pip, uv and their checks accept linux_x86_64";
}

TEST(TagMismatch, IsAnErrorWherePipCheckComplains) {
  const auto severity = [](const std::string& tag) { return run(wheel_2_17, {tag}).at(0).severity; };
  EXPECT_EQ(severity("py3-none-any"), Severity::Warning);
  EXPECT_EQ(severity("cp311-cp311-any"), Severity::Warning);
  EXPECT_EQ(severity("cp310-cp310-any"), Severity::Error);
  EXPECT_EQ(severity("cp311-cp311-linux_aarch64"), Severity::Error);
  EXPECT_EQ(severity("cp311-cp311-manylinux_2_34_x86_64"), Severity::Error);
  EXPECT_EQ(severity("cp310-cp310-linux_x86_64"), Severity::Error);
  EXPECT_EQ(run(two, {"cp311-cp311-manylinux2014_x86_64"}).at(0).severity, Severity::Warning);
  const std::string old = "foo-1.0-py2.py3-none-manylinux1_x86_64.whl";
  EXPECT_EQ(run(old, {"py3-none-manylinux1_x86_64"}).at(0).severity, Severity::Warning)
      << "nobody installs for Python 2";
  EXPECT_EQ(run(old, {"py2-none-manylinux1_x86_64"}).at(0).severity, Severity::Error);
  EXPECT_EQ(run("foo-1.0-py3-none-any.whl", {"py2-none-any", "py3-none-any"}).at(0).severity, Severity::Error);
}

TEST(TagMismatch, StandsAtTheWheelFile) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) { wheel.wheel->tags.clear(); }));
  const auto findings = scene.run("tag-mismatch");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_TRUE(std::holds_alternative<AtMember>(findings[0].place));
  EXPECT_EQ(scene.path(findings[0]), "foo-1.0.dist-info/WHEEL");
}

TEST(TagMismatch, IsSilentWhereTheSetsAreTheSameHoweverWritten) {
  EXPECT_TRUE(run(two, {"cp311-cp311-manylinux2014_x86_64", "cp311-cp311-manylinux_2_17_x86_64"}).empty());
  EXPECT_TRUE(run(two, {"cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64"}).empty());
  EXPECT_TRUE(run("foo-1.0-py2.py3-none-any.whl", {"py3-none-any", "py2-none-any", "py2-none-any"}).empty());
}

TEST(TagMismatch, SaysWhatIsMissingOnOneSide) {
  EXPECT_EQ(run(two, {"cp311-cp311-manylinux_2_17_x86_64"}).at(0).message,
            "lacks 1 tag of the file name: cp311-cp311-manylinux2014_x86_64");
  EXPECT_EQ(run("foo-1.0-py3-none-any.whl", {"py2-none-any", "py3-none-any"}).at(0).message,
            "claims 1 tag that the file name does not: py2-none-any");
}

TEST(TagMismatch, DoesNotTakeAnAliasForTheSameTag) {
  EXPECT_EQ(run(wheel_2_17, {"cp311-cp311-manylinux2014_x86_64"}).size(), 1U);
}

TEST(TagMismatch, ReportsALineThatIsNoTag) {
  EXPECT_EQ(evidence(run(wheel_2_17, {"cp311-cp311-manylinux_2_17_x86_64", "nonsense"}).at(0), "only in WHEEL"),
            "nonsense");
  EXPECT_EQ(run(wheel_2_17, {"", "-manylinux_2_17_x86_64"}).at(0).message,
            "has Tag lines that name no tag: \"\" and 1 more");
}

TEST(TagMismatch, WarnsOfAFileWithoutTagsWhichOnlyWheelTagsRefuses) {
  const auto findings = run(wheel_2_17, {});
  EXPECT_EQ(findings.at(0).message, "has no Tag line before its first empty line");
  EXPECT_EQ(findings[0].severity, Severity::Warning) << "pip, uv and pip check accept depthai 3.12.0";
}

TEST(TagMismatch, LeavesAMissingFileToTheMetadataRule) {
  EXPECT_TRUE(
      Scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) { wheel.wheel.reset(); })).run("tag-mismatch").empty());
}

TEST(TagMismatch, DoesNotMultiplyOutAHostileSet) {
  std::string part = "a0";
  for (int i = 1; i < 3000; ++i) part += ".a" + std::to_string(i);
  const std::string line = part + '-' + part + '-' + part;  // 2.7 * 10^10 tags
  EXPECT_EQ(run(wheel_2_17, {line}).at(0).message, "claims more than 10000 tags");
}

}  // namespace
}  // namespace wheelcheck::test::tag_mismatch_test
