#include "tests/rules/scene.h"

namespace wheelcheck::test::tag_not_satisfied_test {
namespace {

const std::string compressed =
    "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux_2_28_x86_64.manylinux_2_34_x86_64.whl";

Scene one_module(const std::string& name) { return Scene(WheelBuilder(name).elf(ElfBuilder(module_so))); }
const VersionRequirement too_new{"libc.so.6", "GLIBC_2.28", {"fcntl64"}};

TEST(TagNotSatisfied, NamesTheBrokenClaimAndWhatFits) {
  const auto findings = one_module(wheel_2_17).requires_at(module_so, too_new, before_2_28).run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "claims manylinux_2_17_x86_64, but the lowest compatible tag is manylinux_2_28_x86_64");
  EXPECT_EQ(evidence(findings[0], "unmet requirements"), "1 of 1");
  EXPECT_EQ(evidence(findings[0], "unmet requirement"), module_so + " requires GLIBC_2.28 of libc.so.6");
  EXPECT_THAT(findings[0].fix,
              testing::HasSubstr("wheel tags --remove --platform-tag manylinux_2_28_x86_64 " + wheel_2_17));
}

TEST(TagNotSatisfied, IsSilentWhereEveryClaimIsKept) {
  EXPECT_TRUE(one_module(wheel_2_17).requires_at(module_so, too_new, nowhere).run("tag-not-satisfied").empty());
}

TEST(TagNotSatisfied, SpeaksForEachBrokenTagOfACompressedSetAndKeepsTheRest) {
  const auto findings = one_module(compressed).requires_at(module_so, too_new, before_2_34).run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("claims manylinux_2_17_x86_64, but"));
  EXPECT_THAT(findings[1].message, testing::HasSubstr("claims manylinux_2_28_x86_64, but"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("--platform-tag manylinux_2_34_x86_64 " + compressed));
}

// austin-dist 4.0.0, sqlite-vec 0.1.9: "Wheel internal tags {...} != filename tags".
TEST(TagNotSatisfied, AdvisesNoCommandThatRefusesSetsInWheel) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).edit([](WheelFacts& wheel) {
    wheel.wheel->tags = {"cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64"};
  }));
  const auto findings = scene.requires_at(module_so, too_new, before_2_28).run("tag-not-satisfied");
  EXPECT_THAT(findings.at(0).fix, testing::EndsWith("wheelcheck fix --retag " + wheel_2_17));
}

// envoy-requests 0.0.1a1: "No hash found for file 'envoy_engine.so'".
TEST(TagNotSatisfied, AdvisesToRepairRecordBeforeACommandThatReadsIt) {
  const auto fix = [](bool minor) {
    Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).edit([=](WheelFacts& wheel) {
      wheel.flaws.push_back({.area = WheelArea::Record, .subject = "/x", .reason = "is absolute", .minor = minor});
    }));
    return scene.requires_at(module_so, too_new, before_2_28).run("tag-not-satisfied").at(0).fix;
  };
  EXPECT_THAT(fix(false), testing::HasSubstr("wheelcheck fix " + wheel_2_17 + ", then wheel tags --remove"));
  EXPECT_THAT(fix(true), testing::Not(testing::HasSubstr("wheelcheck fix")));
}

TEST(TagNotSatisfied, CountsALevelAndItsLegacyNameAsOnePromise) {
  const auto findings = one_module("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl")
                            .requires_at(module_so, too_new, before_2_28)
                            .run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "claims manylinux_2_17_x86_64 and manylinux2014_x86_64, but the lowest compatible tag is "
            "manylinux_2_28_x86_64");
}

TEST(TagNotSatisfied, DoesNotAdviseTheLinuxTag) {
  const auto findings = one_module(wheel_2_17)
                            .requires_at(module_so, LibraryRequirement{"libbar.so.1"}, everywhere)
                            .run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::EndsWith("lowest compatible tag is linux_x86_64"));
  EXPECT_THAT(findings[0].fix, testing::Not(testing::HasSubstr("wheel tags")));
}

TEST(TagNotSatisfied, QuotesAFileNameThatAShellWouldExpand) {
  Scene scene = one_module(wheel_2_17);
  scene.wheel.file = "foo;id-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
  const auto findings = scene.requires_at(module_so, too_new, before_2_28).run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::EndsWith(" 'foo;id-1.0-cp311-cp311-manylinux_2_17_x86_64.whl'"));
}

TEST(TagNotSatisfied, RemarksATagThatNoPolicyKnows) {
  const auto findings = one_module("foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl").run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "claims musllinux_1_2_x86_64, which cannot be checked: no policy is known for it");
}

TEST(TagNotSatisfied, SaysWhyWhereNoFileIsForTheMachine) {
  Scene scene = one_module("foo-1.0-cp311-cp311-linux_aarch64.whl");
  std::vector<Claim> claims = scene.claims();
  claims[0].tag_result = TagResult::Incompatible;
  claims[0].reason = "no ELF file is for aarch64";
  const auto findings = scene.run("tag-not-satisfied", claims);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "claims linux_aarch64, but no ELF file is for aarch64");
}

TEST(TagNotSatisfied, OffersWhatTheContentCallsForWhereTheMachineIsWrong) {
  // The claim's own policy family is judged separately and has no files; the scene's policy family is that of the
  // content.
  Scene scene(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_aarch64.whl").elf(ElfBuilder(module_so)));
  std::vector<Claim> claims = scene.claims();
  claims[0].tag_result = TagResult::Incompatible;
  claims[0].reason = "no ELF file is for aarch64";
  EXPECT_THAT(scene.run("tag-not-satisfied", claims).at(0).fix,
              testing::HasSubstr("claim a compatible tag: wheel tags --remove --platform-tag manylinux_2_17_x86_64 "));
}

TEST(TagNotSatisfied, ShowsFiveObstaclesAtMost) {
  Scene scene = one_module(wheel_2_17);
  for (int i = 0; i < 9; ++i)
    scene.requires_at(module_so, LibraryRequirement{"lib" + std::to_string(i) + ".so"}, everywhere);
  const auto findings = scene.run("tag-not-satisfied");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(std::ranges::count(findings[0].evidence, "unmet requirement", &Evidence::label), 5);
  EXPECT_EQ(evidence(findings[0], "unmet requirements"), "9 of 9");
}

}  // namespace
}  // namespace wheelcheck::test::tag_not_satisfied_test
