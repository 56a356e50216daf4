// Tests the changes that are needed for each level, and the order of the steps.
#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "knowledge/tables.h"
#include "tests/report/sample.h"
#include "wheelcheck/remediation.h"

namespace wheelcheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

const Knowledge& known() {
  static const Knowledge table = knowledge::builtin_knowledge();
  return table;
}

RemediationPath path_of(const WheelReport& wheel) { return cheapest(wheel, known()).at(0); }

// "manylinux_2_17_x86_64 2 in 1: fcntl64 logf | libfoo.so.1"
std::vector<std::string> shown(const WheelReport& wheel) {
  std::vector<std::string> out;
  for (const RemediationStep& step : path_of(wheel).steps) {
    const std::vector<std::string>& names = wheel.assessments[0].level_names;
    std::string text =
        names[step.oldest.value] + " " + std::to_string(step.symbols) + " in " + std::to_string(step.files) + ":";
    for (const Removal& removal : step.removals) {
      if (removal.symbols.empty()) text += " " + removal.node;
      for (const RemovedSymbol& symbol : removal.symbols) text += " " + symbol.name;
    }
    for (const OtherRequirement& other : step.other_requirements)
      text += " | " + std::get<LibraryRequirement>(other.required.what).library;
    out.push_back(text);
  }
  return out;
}

WheelReport wheel_of(const std::vector<Scored>& requirements, std::uint32_t files = 2) {
  WheelBuilder builder("pkg-1.0-cp311-cp311-manylinux_2_28_x86_64.whl");
  for (std::uint32_t i = 0; i < files; ++i)
    builder.elf(ElfBuilder("pkg/_" + std::to_string(i) + ".cpython-311-x86_64-linux-gnu.so").needed("libc.so.6"));
  WheelReport out = with_facts(builder.build());
  judge(out, scored(manylinux_rungs, requirements, files), {});
  return out;
}

constexpr ElfIndex first{0}, second{1};
// Indices in manylinux_rungs.
constexpr std::size_t r28 = 3, r27 = 4, r17 = 5, r12 = 6, r5 = 7;

TEST(CheapestSteps, GroupsASymbolOverItsFilesAndTakesAllThatIsInTheWay) {
  const WheelReport wheel =
      wheel_of({{{first, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64"}}}, r28},
                {{second, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64"}}}, r28},
                {{second, VersionRequirement{"libm.so.6", "GLIBC_2.27", {"expf", "logf"}}}, r27}});
  EXPECT_THAT(shown(wheel),
              ElementsAre("manylinux_2_27_x86_64 1 in 2: fcntl64", "manylinux_2_5_x86_64 3 in 2: fcntl64 expf logf"));
  const RemediationStep last = path_of(wheel).steps[1];
  EXPECT_EQ(last.newest.value, r17);
  EXPECT_EQ(last.oldest.value, r5);
  EXPECT_THAT(last.removals[0].symbols[0].files, ElementsAre(first, second));
  EXPECT_THAT(last.removals[1].files, ElementsAre(second));
  EXPECT_TRUE(last.removals[1].known);
  EXPECT_THAT(last.removals[1].advice, testing::HasSubstr(".symver expf,expf@GLIBC_2.2.5"));
}

TEST(CheapestSteps, SymbolsOfANodeThatAreAvoidedInOtherWaysStandApart) {
  const WheelReport wheel =
      wheel_of({{{first, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64", "statx"}}}, r28}});
  const RemediationStep step = path_of(wheel).steps.at(0);
  ASSERT_EQ(step.removals.size(), 2U);
  EXPECT_NE(step.removals[0].advice, step.removals[1].advice);
  EXPECT_EQ(step.symbols, 2U);
  EXPECT_EQ(step.files, 1U);
}

TEST(CheapestSteps, ANodeThatNoSymbolNamesCountsAsOne) {
  const WheelReport wheel = wheel_of({{{first, VersionRequirement{"libc.so.6", "GLIBC_ABI_DT_RELR", {}}}, r28}});
  EXPECT_THAT(shown(wheel), ElementsAre("manylinux_2_5_x86_64 1 in 1: GLIBC_ABI_DT_RELR"));
}

TEST(CheapestSteps, ALibraryIsNoMatterOfSymbols) {
  const WheelReport wheel = wheel_of({{{first, LibraryRequirement{"libfoo.so.1"}}, r12},
                                      {{second, LibraryRequirement{"libfoo.so.1"}}, r12},
                                      {{first, SymbolRequirement{"libz.so.1", "gzgetc_"}}, r17}});
  EXPECT_THAT(shown(wheel), ElementsAre("manylinux_2_12_x86_64 1 in 1: gzgetc_",
                                        "manylinux_2_5_x86_64 1 in 1: gzgetc_ | libfoo.so.1"));
  const RemediationStep last = path_of(wheel).steps[1];
  EXPECT_THAT(last.other_requirements.at(0).files, ElementsAre(first, second));
  EXPECT_EQ(last.removals[0].node, "");
  EXPECT_FALSE(last.removals[0].known);
}

// With a user's levels, an older level may require less than a newer one.
TEST(CheapestSteps, ComeByCostAndNotByAge) {
  WheelReport wheel = wheel_of({{{first, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64", "statx"}}}, r28},
                                {{first, VersionRequirement{"libc.so.6", "GLIBC_2.25", {"getrandom"}}}, r5}});
  wheel.assessments[0].levels[r5].unmet_requirements = {RequirementIndex{1}};
  EXPECT_THAT(shown(wheel),
              ElementsAre("manylinux_2_5_x86_64 1 in 1: getrandom", "manylinux_2_12_x86_64 2 in 1: statx fcntl64"));
}

TEST(CheapestSteps, ThereAreNoneWhereTheOldestLevelFits) {
  EXPECT_THAT(shown(wheel_of({{{first, LibraryRequirement{"libc.so.6"}}, r5}})), IsEmpty());
  EXPECT_THAT(cheapest(pure_wheel(), known()), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test
