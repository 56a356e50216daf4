// Tests the verdict with assessments written in C++: the level that judges a claim, and the reason if there is none.
#include "verdict/judge.h"

#include <gtest/gtest.h>

#include "tests/support/facts.h"

namespace wheelcheck::verdict {
namespace {

using test::ElfBuilder;
using test::WheelBuilder;
using Family = PlatformTag::Family;

constexpr const char* module_path = "foo/x.cpython-311-x86_64-linux-gnu.so";

// A policy family of glibc levels for x86_64, newest first. The newest node that the wheel requires is GLIBC_2.`needs`.
Assessment policy_levels(std::vector<unsigned> levels, unsigned needs, Arch arch = Arch::x86_64) {
  Assessment result{.family = Family::Manylinux, .arch = arch, .files = 1};
  const std::string suffix = "_" + std::string(name_of(arch));
  result.level_names.push_back("linux" + suffix);
  result.levels.emplace_back();
  result.requirements.push_back({ElfIndex{0}, VersionRequirement{"libc.so.6", "GLIBC_2." + std::to_string(needs), {}}});
  for (const unsigned level : levels) {
    result.level_names.push_back("manylinux_2_" + std::to_string(level) + suffix);
    LevelScore& score = result.levels.emplace_back();
    if (level < needs) score.unmet_requirements.push_back(RequirementIndex{0});
    if (score.unmet_requirements.empty())
      result.best = LevelIndex{static_cast<std::uint32_t>(result.levels.size() - 1)};
  }
  return result;
}

Verdict judge_name(const std::string& file, std::vector<Assessment> assessments) {
  return judge(WheelBuilder(file).elf(ElfBuilder(module_path)).build(), assessments);
}

TEST(Judge, AnswersForEachTagOfACompressedSet) {
  const Verdict verdict = judge_name("foo-1-cp311-cp311-manylinux2014_x86_64.manylinux_2_28_x86_64.whl",
                                     {policy_levels({41, 28, 17, 12}, 24)});
  ASSERT_EQ(verdict.claims.size(), 2u);
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Incompatible);
  EXPECT_EQ(verdict.claims[0].reason, "1 unmet requirement");
  EXPECT_EQ(verdict.claims[0].level, LevelIndex{3});
  EXPECT_EQ(verdict.claims[1].tag_result, TagResult::Compatible);
  EXPECT_EQ(verdict.best_tag, "manylinux_2_28_x86_64");
}

TEST(Judge, TakesTagsThatOnlyTheWheelFileLists) {
  WheelFacts wheel = WheelBuilder("foo-1-cp311-cp311-manylinux_2_28_x86_64.whl").elf(ElfBuilder(module_path)).build();
  wheel.wheel->tags = {"cp311-cp311-manylinux_2_28_x86_64.manylinux_2_12_x86_64", "nonsense"};
  const std::vector<Assessment> assessments{policy_levels({28, 17, 12}, 17)};
  const Verdict verdict = judge(wheel, assessments);
  ASSERT_EQ(verdict.claims.size(), 2u);
  EXPECT_TRUE(verdict.claims[0].in_name && verdict.claims[0].in_wheel_file);
  EXPECT_EQ(verdict.claims[1].tag.text, "manylinux_2_12_x86_64");
  EXPECT_TRUE(!verdict.claims[1].in_name && verdict.claims[1].in_wheel_file);
  EXPECT_EQ(verdict.claims[1].tag_result, TagResult::Incompatible);
}

TEST(Judge, LetsAKeptOlderLevelVouchForANewerOne) {
  const Verdict verdict = judge_name("foo-1-cp311-cp311-manylinux_2_50_x86_64.whl", {policy_levels({41, 17}, 17)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Compatible);
}

TEST(Judge, SaysUnknownForANodeNewerThanEveryPolicy) {
  const Verdict verdict = judge_name("foo-1-cp311-cp311-manylinux_2_50_x86_64.whl", {policy_levels({41, 17}, 45)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Unknown);
  EXPECT_EQ(verdict.claims[0].reason, "no policy is known above manylinux_2_41_x86_64");
}

TEST(Judge, BreaksANewerLevelForWhatNoLevelAllows) {
  Assessment assessment = policy_levels({41}, 45);
  assessment.requirements[0].what = LibraryRequirement{"libfoo.so.1"};
  EXPECT_EQ(judge_name("foo-1-cp311-cp311-manylinux_2_50_x86_64.whl", {assessment}).claims[0].tag_result,
            TagResult::Incompatible);
}

TEST(Judge, KnowsNothingBelowTheOldestLevelOfAnArchitecture) {
  const Verdict verdict =
      judge_name("foo-1-cp311-cp311-manylinux_2_17_riscv64.whl", {policy_levels({39, 31}, 20, Arch::riscv64)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Unknown);
}

TEST(Judge, LeavesLinuxTagsWithoutAPromise) {
  const Verdict verdict = judge_name("foo-1-cp311-cp311-linux_x86_64.whl", {policy_levels({41, 17}, 20)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::NoMinimum);
  EXPECT_EQ(verdict.best_tag, "manylinux_2_41_x86_64");
}

TEST(Judge, BreaksALinuxTagForAnotherMachine) {
  Assessment none = policy_levels({41}, 17, Arch::aarch64);
  none.files = 0;
  const Verdict verdict = judge_name("foo-1-cp311-cp311-linux_aarch64.whl", {none, policy_levels({41, 17}, 17)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Incompatible);
  EXPECT_EQ(verdict.claims[0].reason, "no ELF file is for aarch64");
  EXPECT_EQ(verdict.best_tag, "manylinux_2_17_x86_64");
}

TEST(Judge, CallsAWheelWithoutMachineCodeAny) {
  const Verdict verdict = judge(WheelBuilder("foo-1-py3-none-any.whl").build(), {});
  EXPECT_TRUE(verdict.pure);
  EXPECT_EQ(verdict.best_tag, "any");
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Compatible);
}

TEST(Judge, DoesNotCallMachineCodeUnderAnyABrokenPromise) {
  const Verdict verdict = judge_name("foo-1-py3-none-any.whl", {policy_levels({41, 34}, 34)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::NoMinimum);
  EXPECT_EQ(verdict.best_tag, "manylinux_2_34_x86_64");
}

TEST(Judge, KnowsNoPolicyForOtherSystems) {
  const Verdict verdict = judge_name("foo-1-cp311-cp311-macosx_10_9_x86_64.whl", {policy_levels({41}, 17)});
  EXPECT_EQ(verdict.claims[0].tag_result, TagResult::Unknown);
}

}  // namespace
}  // namespace wheelcheck::verdict
