#include "tests/rules/scene.h"

namespace wheelcheck::test::unreadable_mode_test {
namespace {

std::vector<Finding> run(std::uint32_t mode, std::uint64_t archive_size = 1000) {
  return Scene(WheelBuilder(wheel_2_17).member("foo/a.py").member("foo/b.py").edit([=](WheelFacts& wheel) {
           wheel.size = archive_size;
           for (MemberFacts& member : wheel.members)
             if (member.path.text().starts_with("foo/")) member.unix_mode = mode;
         }))
      .run("unreadable-mode");
}

// optype 0.13.1, faststream 0.6.0rc0
TEST(UnreadableMode, NamesTheFilesAndTheMode) {
  const auto findings = run(0100230);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].message, testing::StartsWith("2 files may not be read even by the owner (recorded mode: "
                                                       "100230)"));
  EXPECT_EQ(evidence(findings[0], "files"), "foo/a.py, foo/b.py");
}

TEST(UnreadableMode, IsSilentWhereTheOwnerMayReadOrNoModeIsKnown) {
  for (const std::uint32_t mode : {0100644U, 0100755U, 0100600U, 0100000U, 0U}) EXPECT_TRUE(run(mode).empty()) << mode;
  EXPECT_TRUE(run(0100230, 0).empty());
}

}  // namespace
}  // namespace wheelcheck::test::unreadable_mode_test
