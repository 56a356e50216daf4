// Tests the levels that exist for a wheel's claims, and which of the met ones is the best.
#include "policy/load.h"
#include "policy/wheel_levels.h"
#include "tests/policy/measure.h"

namespace wheelcheck::policy {
namespace {

using Family = PlatformTag::Family;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

const Version v2_30 = {{2, 30}};

WheelFacts asking(const char* name, const char* node) {
  return WheelBuilder(name).elf(ElfBuilder("x.so").needed("libc.so.6").need("libc.so.6", node)).build();
}

TEST(WheelLevels, BetweenTwoLevelsPromiseTheOlderAndTheGlibcUpToTheirNumber) {
  const WheelLevels levels = wheel_levels_of(builtin(), {Family::Manylinux, Arch::x86_64, {v2_30}});
  const auto at = std::ranges::find(levels.names, "manylinux_2_30_x86_64");
  ASSERT_NE(at, levels.names.end());
  EXPECT_EQ(*(at - 1), "manylinux_2_31_x86_64");
  EXPECT_EQ(*(at + 1), "manylinux_2_28_x86_64");
  const std::size_t i = at - levels.names.begin();
  const Policy &newer = *levels.levels[i - 1], &derived = *levels.levels[i], &older = *levels.levels[i + 1];
  EXPECT_EQ(derived.libc, v2_30);
  EXPECT_EQ(derived.libraries, older.libraries);
  EXPECT_EQ(derived.denied_symbols, older.denied_symbols);
  EXPECT_EQ(derived.versions.at("GLIBCXX"), older.versions.at("GLIBCXX"));
  StringSet glibc = older.versions.at("GLIBC");
  glibc.insert("2.29");
  glibc.insert("2.30");
  EXPECT_EQ(derived.versions.at("GLIBC"), glibc);
  EXPECT_TRUE(newer.versions.at("GLIBC").contains("2.30"));
}

TEST(WheelLevels, AreNoMoreThanTheLadderForAClaimAboveOrBelowIt) {
  const std::size_t known = builtin().policy_levels(Family::Manylinux, Arch::x86_64).levels.size();
  for (const Version& libc : {Version{{2, 99}}, Version{{2, 4}}, Version{{2, 17}}}) {
    EXPECT_EQ(wheel_levels_of(builtin(), {Family::Manylinux, Arch::x86_64, {libc}}).names.size(), known)
        << to_string(libc);
  }
  EXPECT_EQ(wheel_levels_of(builtin(), {Family::Manylinux, Arch::aarch64, {Version{{2, 12}}}}).names.back(),
            "manylinux_2_17_aarch64");
  EXPECT_THAT(wheel_levels_of(builtin(), {Family::Musllinux, Arch::x86_64, {Version{{1, 3}}}}).names,
              ElementsAre("linux_x86_64", "musllinux_1_2_x86_64", "musllinux_1_1_x86_64"));
}

TEST(WheelLevels, HoldSeveralClaimsBetweenTheSameLevels) {
  const WheelLevels levels =
      wheel_levels_of(builtin(), {Family::Manylinux, Arch::x86_64, {Version{{2, 29}}, Version{{2, 30}}}});
  const auto at = std::ranges::find(levels.names, "manylinux_2_30_x86_64");
  ASSERT_NE(at, levels.names.end());
  EXPECT_EQ(*(at + 1), "manylinux_2_29_x86_64");
  EXPECT_EQ(*(at + 2), "manylinux_2_28_x86_64");
  EXPECT_TRUE(levels.levels[at - levels.names.begin()]->versions.at("GLIBC").contains("2.30"));
  EXPECT_FALSE(levels.levels[at + 1 - levels.names.begin()]->versions.at("GLIBC").contains("2.30"));
}

TEST(WheelLevels, OfAndroidBearTheClaimedLevelAndTheListsOfTheLevelInForce) {
  const WheelLevels levels =
      wheel_levels_of(builtin(), {Family::Android, Arch::aarch64, {Version{{23}}, Version{{35}}}});
  EXPECT_THAT(levels.names,
              ElementsAre("linux_aarch64", "android_35_arm64_v8a", "android_27_arm64_v8a", "android_26_arm64_v8a",
                          "android_24_arm64_v8a", "android_23_arm64_v8a", "android_21_arm64_v8a"));
  EXPECT_EQ(levels.levels[1]->libraries, levels.levels[2]->libraries);
  EXPECT_EQ(levels.levels[5]->libraries, levels.levels[6]->libraries);
  EXPECT_TRUE(levels.levels[5]->allows_libpython);
  EXPECT_EQ(wheel_levels_of(builtin(), {Family::Android, Arch::aarch64, {Version{{20}}}}).names.size(), 5U);
}

TEST(WheelLevels, OfAMachineWithoutPoliciesAreLinuxAlone) {
  EXPECT_THAT(wheel_levels_of(builtin(), {Family::Manylinux, Arch::armv6l, {Version{{2, 17}}}}).names,
              ElementsAre("linux_armv6l"));
}

TEST(Best, IsTheOldestRungThatStands) {
  EXPECT_EQ(best(measure(asking("foo-1-cp311-cp311-linux_x86_64.whl", "GLIBC_2.14"))), "manylinux_2_17_x86_64");
  EXPECT_EQ(best(measure(asking("foo-1-cp311-cp311-linux_x86_64.whl", "GLIBC_2.99"))), "linux_x86_64");
}

TEST(Best, MayBeAClaimedLevelBetweenTwoKnownOnes) {
  const Assessment kept = measure(asking("foo-1-cp311-cp311-manylinux_2_30_x86_64.whl", "GLIBC_2.30"));
  EXPECT_EQ(best(kept), "manylinux_2_30_x86_64");
  const Assessment broken = measure(asking("foo-1-cp311-cp311-manylinux_2_29_x86_64.whl", "GLIBC_2.30"));
  EXPECT_EQ(best(broken), "manylinux_2_31_x86_64");
  EXPECT_THAT(unmet_requirements(broken, "manylinux_2_29_x86_64"), ElementsAre("0 version libc.so.6 GLIBC_2.30"));
}

TEST(Best, OfMuslIsTheClaimUnlessAListRefutesIt) {
  const auto of = [](const char* name, const char* library) {
    return best(measure(WheelBuilder(name).elf(ElfBuilder("x.so").libc(Libc::Musl).needed(library)).build()));
  };
  const char* const musl = "libc.musl-x86_64.so.1";
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_1_x86_64.whl", musl), "musllinux_1_1_x86_64");
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_2_x86_64.whl", musl), "musllinux_1_2_x86_64");
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_2_x86_64.musllinux_1_1_x86_64.whl", musl), "musllinux_1_1_x86_64");
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_3_x86_64.whl", musl), "musllinux_1_2_x86_64") << "no such rung";
  EXPECT_EQ(of("foo-1-cp311-cp311-linux_x86_64.whl", musl), "musllinux_1_2_x86_64") << "the newest asks least";
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_1_x86_64.whl", "libfoo.so"), "linux_x86_64");
  EXPECT_EQ(of("foo-1-cp311-cp311-musllinux_1_1_x86_64.whl", "libc.so.6"), "linux_x86_64");
}

TEST(Best, OfAndroidIsTheClaimedTagItself) {
  const auto of = [](const char* name, const char* library) {
    const ElfBuilder elf = ElfBuilder("x.so").libc(Libc::Bionic).arch(Arch::aarch64).needed("libc.so").needed(library);
    return best(measure(WheelBuilder(name).elf(elf).build()));
  };
  EXPECT_EQ(of("foo-1-cp313-cp313-android_23_arm64_v8a.whl", "libm.so"), "android_23_arm64_v8a");
  EXPECT_EQ(of("foo-1-cp313-cp313-android_23_arm64_v8a.whl", "libvulkan.so"), "android_27_arm64_v8a") << "from 24 on";
  EXPECT_EQ(of("foo-1-cp313-cp313-android_25_arm64_v8a.whl", "libvulkan.so"), "android_25_arm64_v8a");
}

TEST(WantedLadders, AreThoseThatTheNameClaimsInItsOrder) {
  const WheelFacts wheel =
      WheelBuilder(
          "foo-1-py3-none-manylinux_2_28_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64.manylinux_2_17_"
          "aarch64.whl")
          .build();
  const auto targets = claimed_targets(wheel, builtin());
  ASSERT_EQ(targets.size(), 3U);
  EXPECT_EQ(targets[0].family, Family::Manylinux);
  EXPECT_EQ(targets[0].arch, Arch::x86_64);
  EXPECT_THAT(targets[0].claimed, ElementsAre(Version{{2, 17}}, Version{{2, 28}}));
  EXPECT_EQ(targets[1].family, Family::Musllinux);
  EXPECT_EQ(targets[2].arch, Arch::aarch64);
  EXPECT_EQ(assess(wheel, test::resolve_by_name(wheel), {}, builtin(), targets).size(), 3U);
}

TEST(WantedLadders, HoldWhatOnlyTheWheelFileClaims) {
  const WheelFacts wheel = WheelBuilder("foo-1-py3-none-any.whl")
                               .edit([](WheelFacts& w) {
                                 w.wheel->tags = {"py3-none-manylinux_2_17_x86_64.manylinux2014_x86_64", "nonsense"};
                               })
                               .build();
  const auto targets = claimed_targets(wheel, builtin());
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_THAT(targets[0].claimed, ElementsAre(Version{{2, 17}}));
}

TEST(WantedLadders, FollowTheContentWhereNothingIsClaimed) {
  const auto of = [](const char* name, std::vector<ElfBuilder> elfs) {
    WheelBuilder builder(name);
    for (const ElfBuilder& elf : elfs) builder.elf(elf);
    std::string text;
    for (const TargetPlatform& targets : claimed_targets(builder.build(), builtin()))
      text += std::string(name_of(targets.family)) + ' ' + std::string(name_of(targets.arch)) + ';';
    return text;
  };
  const ElfBuilder intel("a.so"), arm = ElfBuilder("b.so").arch(Arch::aarch64),
                                  arm2 = ElfBuilder("c.so").arch(Arch::aarch64);
  const ElfBuilder musl = ElfBuilder("m.so").libc(Libc::Musl), none = ElfBuilder("n.so").libc(Libc::None);
  const ElfBuilder x32 = ElfBuilder("y.so").arch(Arch::Other), cubin = ElfBuilder("z").use(MachineUse::Device);
  EXPECT_EQ(of("foo-1-cp311-cp311-linux_x86_64.whl", {intel, arm, arm2}), "manylinux x86_64;");
  EXPECT_EQ(of("foo-1-py3-none-any.whl", {intel, arm, arm2}), "manylinux aarch64;");
  EXPECT_EQ(of("foo-1-py3-none-any.whl", {intel, arm}), "manylinux x86_64;");
  EXPECT_EQ(of("foo-1-cp311-cp311-linux_armv6l.linux_armv7l.whl", {ElfBuilder("a.so").arch(Arch::armv6l)}),
            "manylinux armv6l;manylinux armv7l;");
  EXPECT_EQ(of("foo-1-cp311-cp311-linux_x86_64.whl", {musl, none}), "musllinux x86_64;");
  EXPECT_EQ(of("foo-1-cp311-cp311-linux_x86_64.whl", {musl, intel}), "manylinux x86_64;");
  EXPECT_EQ(of("foo-1-py3-none-macosx_11_0_arm64.whl", {ElfBuilder("a.so").libc(Libc::Bionic)}), "android x86_64;");
  EXPECT_EQ(of("foo-1-py3-none-linux_x86_64.whl", {cubin, x32}), "");
  EXPECT_EQ(of("foo-1-py3-none-any.whl", {}), "");
}

TEST(LaddersOfContent, LookPastTheTags) {
  const WheelFacts wheel = WheelBuilder("foo-1-cp311-cp311-manylinux_2_17_x86_64.whl")
                               .elf(ElfBuilder("a.so").arch(Arch::aarch64).libc(Libc::Musl))
                               .build();
  const auto found = targets_of_content(wheel);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].family, Family::Musllinux);
  EXPECT_EQ(found[0].arch, Arch::aarch64);
  EXPECT_THAT(found[0].claimed, IsEmpty());
}

TEST(WantedLadders, HoldATagThatOnlyAUsersPolicyExplains) {
  const auto levels = levels_of_text(
      "mine.json", R"({"name": "mylinux_1", "libc": {"family": "glibc", "version": "2.17"}, "libraries": [],
                       "architectures": {"aarch64": {}}})");
  ASSERT_TRUE(levels) << levels.error().message;
  const PolicySet set(*levels);
  const auto targets = claimed_targets(WheelBuilder("foo-1-py3-none-mylinux_1_aarch64.whl").build(), set);
  ASSERT_EQ(targets.size(), 1U);
  EXPECT_EQ(targets[0].family, Family::Manylinux);
  EXPECT_EQ(targets[0].arch, Arch::aarch64);
  EXPECT_THAT(targets[0].claimed, ElementsAre(Version{{2, 17}}));
  EXPECT_THAT(claimed_targets(WheelBuilder("foo-1-py3-none-linux_aarch64.whl").build(), set), IsEmpty());
}

TEST(Assessment, IsTheSameWhateverTheOrderOfTheFiles) {
  const ElfBuilder a = ElfBuilder("a.so").needed("libx.so").needed("libc.so.6").need("libc.so.6", "GLIBC_2.28");
  const ElfBuilder b = ElfBuilder("b.so").needed("libc.so.6").needed("libx.so").need("libc.so.6", "GLIBC_2.4");
  const char* const name = "foo-1-cp311-cp311-manylinux_2_17_x86_64.whl";
  EXPECT_EQ(requirements(measure(WheelBuilder(name).elf(a).elf(b).build())),
            requirements(measure(WheelBuilder(name).elf(b).elf(a).build())));
}

TEST(Assessment, PointsFromEachRungToTheRequirementsItDoesNotMeet) {
  const Assessment it = measure(asking("foo-1-cp311-cp311-manylinux_2_17_x86_64.whl", "GLIBC_2.36"));
  ASSERT_EQ(it.levels.size(), it.level_names.size());
  EXPECT_EQ(it.requirements.size(), 2U);
  EXPECT_EQ(it.levels.back().unmet_requirements, std::vector{RequirementIndex{1}});
  EXPECT_THAT(it.level_names, Not(Contains("manylinux_2_16_x86_64")));
}

}  // namespace
}  // namespace wheelcheck::policy
