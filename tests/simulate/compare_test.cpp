// Tests one wheel under two sets of levels: the shift, and its causes.
#include "tests/simulate/support.h"

namespace wheelcheck::simulate_levels {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Compare, NothingShiftsWhereTheLevelsSayTheSame) {
  const Side same = side({{needs(first, "GLIBC_2.14", {"memcpy"}), r17}});
  const SimulatedWheel wheel = compare(facts(), same, same, {});
  EXPECT_EQ(wheel.shift, Shift::Same);
  EXPECT_FALSE(wheel.loses_claim);
  EXPECT_THAT(wheel.causes, IsEmpty());
  EXPECT_THAT(wheel.best_before, ElementsAre("manylinux_2_17_x86_64"));
  ASSERT_EQ(wheel.claims.size(), 1U);
  EXPECT_EQ(wheel.claims[0].before, TagResult::Compatible);
}

// The new level no longer lists a node that two files require.
TEST(Compare, ALossNamesWhatTheNewLevelRefuses) {
  const auto requested = [](std::size_t met) {
    return side({{needs(first, "GLIBC_2.14", {"memcpy"}), met},
                 {needs(second, "GLIBC_2.14", {"memcpy", "syncfs"}), met},
                 {needs(second, "GLIBC_2.5", {"readlink"}), r17}});
  };
  const SimulatedWheel wheel = compare(facts(), requested(r17), requested(r28), {});
  EXPECT_EQ(wheel.shift, Shift::Loses);
  EXPECT_TRUE(wheel.loses_claim);
  EXPECT_THAT(shown(wheel), ElementsAre("lost GLIBC_2.14 in 2"));
  EXPECT_EQ(wheel.level_sets.at(0).before, "manylinux_2_17_x86_64");
  EXPECT_EQ(wheel.level_sets.at(0).after, "manylinux_2_28_x86_64");
  EXPECT_EQ(wheel.claims.at(0).shift, Shift::Loses);
  EXPECT_THAT(wheel.causes[0].files[1].symbols, ElementsAre("memcpy", "syncfs"));
  EXPECT_EQ(wheel.causes[0].files[0].path, "pkg/_0.cpython-311-x86_64-linux-gnu.so");
}

TEST(Compare, AGainNamesWhatTheOldLevelRefused) {
  const SimulatedWheel wheel = compare(facts(), side({{{first, LibraryRequirement{"libfoo.so.1"}}, r_linux}}),
                                       side({{{first, LibraryRequirement{"libfoo.so.1"}}, r17}}), {});
  EXPECT_EQ(wheel.shift, Shift::Gains);
  EXPECT_FALSE(wheel.loses_claim);
  EXPECT_THAT(shown(wheel), ElementsAre("gained libfoo.so.1 in 1"));
}

// The requirement that excluded a wheel from the level that judged a new one is what the new one meets.
TEST(Compare, ANewLevelBetweenTwoIsHeldAgainstTheOlderOne) {
  const std::vector<std::string> more = {"linux_x86_64", "manylinux_2_28_x86_64", "manylinux_2_20_x86_64",
                                         "manylinux_2_17_x86_64", "manylinux_2_5_x86_64"};
  const SimulatedWheel wheel =
      compare(facts(), side({{needs(first, "GLIBC_2.18", {"f"}), r28}, {needs(first, "GLIBC_2.14", {"g"}), r17}}),
              side({{needs(first, "GLIBC_2.18", {"f"}), 2}, {needs(first, "GLIBC_2.14", {"g"}), 3}}, more), {});
  EXPECT_EQ(wheel.level_sets.at(0).after, "manylinux_2_20_x86_64");
  EXPECT_EQ(wheel.shift, Shift::Gains);
  EXPECT_THAT(shown(wheel), ElementsAre("gained GLIBC_2.18 in 1"));
}

TEST(Compare, ALevelOfAnotherNameIsPlacedByItsLibc) {
  const std::vector<std::string> own = {"linux_x86_64", "manylinux_2_28_x86_64", "our_servers_x86_64",
                                        "manylinux_2_17_x86_64", "manylinux_2_5_x86_64"};
  const Side before = side({{needs(first, "GLIBC_2.18", {"f"}), r28}});
  const Side after = side({{needs(first, "GLIBC_2.18", {"f"}), 2}}, own);
  Version libc;
  ASSERT_TRUE(parse_version("2.20", libc));
  EXPECT_EQ(compare(facts(), before, after, {{"our_servers", libc}, {"our", {}}}).shift, Shift::Gains);
  ASSERT_TRUE(parse_version("2.40", libc));
  EXPECT_EQ(compare(facts(), before, after, {{"our_servers", libc}}).shift, Shift::Loses);
  ASSERT_TRUE(parse_version("2.28", libc));
  EXPECT_EQ(compare(facts(), before, after, {{"our_servers", libc}}).shift, Shift::Gains) << "by its place";
}

// The wheel has two claims. A stricter level makes one incompatible, and a more permissive level makes the other
// compatible.
TEST(Compare, GainsAndLossesAreMixed) {
  Side before = side({{needs(first, "GLIBC_2.14", {"memcpy"}), r17}}), after = before;
  before.verdict.claims.push_back(before.verdict.claims[0]);
  before.verdict.claims[1].tag = parse_platform_tag("manylinux_2_28_x86_64");
  after.verdict.claims = before.verdict.claims;
  before.verdict.claims[1].tag_result = TagResult::Incompatible;
  after.verdict.claims[0].tag_result = TagResult::Incompatible;
  const SimulatedWheel wheel = compare(facts(), before, after, {});
  EXPECT_EQ(wheel.shift, Shift::Mixed);
  EXPECT_TRUE(wheel.loses_claim);
}

TEST(Compare, ALadderOfOneSetAloneShiftsNothing) {
  const Side before = side({{needs(first, "GLIBC_2.14", {"memcpy"}), r17}});
  Side after = before;
  after.assessments[0].arch = Arch::aarch64;
  const SimulatedWheel wheel = compare(facts(), before, after, {});
  ASSERT_EQ(wheel.level_sets.size(), 2U);
  EXPECT_EQ(wheel.level_sets[0].after, "");
  EXPECT_EQ(wheel.level_sets[1].before, "");
  EXPECT_EQ(wheel.level_sets[0].shift, Shift::Same);
}

TEST(Compare, ALadderThatJudgesNoFileIsLeftOut) {
  Side none = side({});
  none.assessments[0].files = 0;
  EXPECT_THAT(compare(facts(), none, none, {}).level_sets, IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::simulate_levels
