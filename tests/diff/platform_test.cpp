// Tags, levels and version floors of two releases.
#include "tests/diff/support.h"

namespace wheelcheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ElfBuilder module() { return ElfBuilder(module_so).needed("libc.so.6"); }

// The extension module asks for GLIBC_`version` by `symbol`; `oldest` is the index of the oldest level that has it.
WheelReport asking(std::string_view release_number, std::string_view tag, const std::string& node,
                   const std::string& symbol, std::size_t oldest) {
  WheelReport out = with_facts(release(release_number, tag).elf(module().import(symbol, "libc.so.6", node)).build());
  const ElfIndex x = elf_at(out.facts, module_so);
  const Assessment assessment = scored(
      manylinux_rungs,
      {{{x, LibraryRequirement{"libc.so.6"}}, 7}, {{x, VersionRequirement{"libc.so.6", node, {symbol}}}, oldest}}, 1);
  judge(out, assessment, {claim(assessment, tag)});
  return out;
}
WheelReport before() { return asking("1.0", "manylinux_2_17_x86_64", "GLIBC_2.14", "memcpy", 5); }

TEST(Platforms, ARaisedFloorNamesTheSymbolAndTheFile) {
  const Diff diff = difference(before(), asking("1.1", "manylinux_2_28_x86_64", "GLIBC_2.28", "fcntl64", 3));
  ASSERT_EQ(diff.platform.levels.size(), 1U);
  const LevelChange& level = diff.platform.levels[0];
  EXPECT_EQ(level.policy_levels, "manylinux x86_64");
  EXPECT_EQ(level.fits_course, Course::Raised);
  EXPECT_EQ(level.fits.old, "manylinux_2_17_x86_64");
  EXPECT_EQ(level.fits.now, "manylinux_2_28_x86_64");
  EXPECT_EQ(level.claimed_course, Course::Raised);
  ASSERT_EQ(level.reasons.size(), 1U);
  EXPECT_EQ(std::get<VersionRequirement>(level.reasons[0].required.what).version, "GLIBC_2.28");
  EXPECT_TRUE(level.reasons[0].decides);
  EXPECT_THAT(level.reasons[0].symbols, ElementsAre("fcntl64"));
  EXPECT_THAT(level.reasons[0].files, ElementsAre(module_so));
  EXPECT_TRUE(diff.platform.raised);
}

TEST(Platforms, ALoweredFloorNamesWhatWasThere) {
  const Diff diff = difference(asking("1.0", "manylinux_2_28_x86_64", "GLIBC_2.28", "fcntl64", 3),
                               asking("1.1", "manylinux_2_28_x86_64", "GLIBC_2.14", "memcpy", 5));
  ASSERT_EQ(diff.platform.levels.size(), 1U);
  EXPECT_EQ(diff.platform.levels[0].fits_course, Course::Lowered);
  EXPECT_EQ(diff.platform.levels[0].claimed_course, Course::Same);
  EXPECT_THAT(diff.platform.levels[0].reasons.at(0).symbols, ElementsAre("fcntl64"));
  EXPECT_FALSE(diff.platform.raised);
}

TEST(Platforms, AClaimMayRiseAlone) {
  const Diff diff = difference(before(), asking("1.1", "manylinux_2_28_x86_64", "GLIBC_2.14", "memcpy", 5));
  ASSERT_EQ(diff.platform.levels.size(), 1U);
  EXPECT_EQ(diff.platform.levels[0].fits_course, Course::Same);
  EXPECT_EQ(diff.platform.levels[0].claimed_course, Course::Raised);
  EXPECT_TRUE(diff.platform.raised);
}

TEST(Platforms, ABrokenPromiseIsNew) {
  const Diff diff = difference(before(), asking("1.1", "manylinux_2_17_x86_64", "GLIBC_2.28", "fcntl64", 3));
  EXPECT_EQ(diff.platform.tag_result.old, TagResult::Compatible);
  EXPECT_EQ(diff.platform.tag_result.now, TagResult::Incompatible);
  EXPECT_TRUE(diff.platform.raised);
}

TEST(Platforms, TheSameWheelHasNothingToTell) {
  const Diff diff = difference(before(), asking("1.1", "manylinux_2_17_x86_64", "GLIBC_2.14", "memcpy", 5));
  EXPECT_THAT(diff.platform.levels, IsEmpty());
  EXPECT_THAT(diff.platform.wheel_floors, IsEmpty());
  EXPECT_THAT(diff.platform.file_floors, IsEmpty());
  EXPECT_FALSE(diff.platform.claims.changed());
  EXPECT_FALSE(diff.platform.raised);
}

TEST(Platforms, FromAnySystemToOneIsARaise) {
  WheelReport pure = with_facts(WheelBuilder("pkg-1.0-py3-none-any.whl").build());
  pure.verdict.claims.push_back(
      {.tag = parse_platform_tag("any"), .in_name = true, .tag_result = TagResult::Compatible});
  const Diff bound = difference(pure, before()), freed = difference(before(), pure);
  EXPECT_TRUE(bound.platform.raised);
  EXPECT_FALSE(freed.platform.raised);
  ASSERT_EQ(bound.platform.levels.size(), 1U);
  EXPECT_EQ(bound.platform.levels[0].fits.old, "any");
  EXPECT_EQ(bound.platform.levels[0].claimed.now, "manylinux_2_17_x86_64");
  EXPECT_EQ(bound.platform.levels[0].fits_course, Course::Raised);
  EXPECT_EQ(freed.platform.levels.at(0).fits_course, Course::Lowered);
}

TEST(Platforms, MachineCodeUnderTheTagAnyIsARaiseToo) {
  WheelReport pure = with_facts(WheelBuilder("pkg-1.0-py3-none-any.whl").build()), bound = before();
  pure.verdict.claims = {{.tag = parse_platform_tag("any"), .in_name = true, .tag_result = TagResult::Compatible}};
  bound.verdict.claims = pure.verdict.claims;
  const Diff diff = difference(pure, bound);
  EXPECT_TRUE(diff.platform.raised);
  EXPECT_EQ(diff.platform.levels.at(0).claimed_course, Course::Same);
  EXPECT_EQ(diff.platform.levels.at(0).fits_course, Course::Raised);
}

TEST(Floors, FilesOfOneChangeStandTogether) {
  const auto wheel = [](const char* number, const char* node, const char* symbol) {
    WheelBuilder builder = release(number);
    for (const char* const path : {"pkg/_a.abi3.so", "pkg/_b.abi3.so"})
      builder.elf(ElfBuilder(path).needed("libc.so.6").import(symbol, "libc.so.6", node));
    return builder.elf(ElfBuilder("pkg/_c.abi3.so").needed("libc.so.6").import("getrandom", "libc.so.6", "GLIBC_2.25"));
  };
  const Diff diff = difference(wheel("1.0", "GLIBC_2.5", "old_one"), wheel("1.1", "GLIBC_2.17", "new_one"));
  ASSERT_EQ(diff.platform.file_floors.size(), 1U);
  const FloorChange& floor = diff.platform.file_floors[0];
  EXPECT_EQ(floor.node.old, "GLIBC_2.5");
  EXPECT_EQ(floor.node.now, "GLIBC_2.17");
  EXPECT_EQ(floor.course, Course::Raised);
  EXPECT_THAT(floor.symbols, ElementsAre("new_one"));
  EXPECT_THAT(floor.files, ElementsAre("pkg/_a.abi3.so", "pkg/_b.abi3.so"));
  EXPECT_THAT(diff.platform.wheel_floors, IsEmpty());  // the third file asks for more than both
}

TEST(Floors, OfTheWholeWheelCountNewFilesToo) {
  const Diff diff =
      difference(release("1.0").elf(module().import("memcpy", "libc.so.6", "GLIBC_2.14")),
                 release("1.1")
                     .elf(module().import("memcpy", "libc.so.6", "GLIBC_2.14"))
                     .elf(ElfBuilder("pkg/_new.abi3.so").needed("libc.so.6").import("exp", "libm.so.6", "GLIBC_2.29")));
  ASSERT_EQ(diff.platform.wheel_floors.size(), 1U);
  EXPECT_EQ(diff.platform.wheel_floors[0].node.now, "GLIBC_2.29");
  EXPECT_THAT(diff.platform.wheel_floors[0].files, ElementsAre("pkg/_new.abi3.so"));
  EXPECT_THAT(diff.platform.file_floors, IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test
