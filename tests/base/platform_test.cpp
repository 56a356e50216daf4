#include "wheelcheck/platform.h"

#include <gtest/gtest.h>

namespace wheelcheck::test::platform_test {
namespace {

using Family = PlatformTag::Family;

TEST(PlatformTag, ReadsEveryFamily) {
  const PlatformTag many = parse_platform_tag("manylinux_2_28_x86_64");
  EXPECT_EQ(many.family, Family::Manylinux);
  EXPECT_EQ(many.libc, (Version{{2, 28, 0, 0}}));
  EXPECT_EQ(many.arch, Arch::x86_64);
  const PlatformTag musl = parse_platform_tag("musllinux_1_2_ppc64le");
  EXPECT_EQ(musl.family, Family::Musllinux);
  EXPECT_EQ(musl.arch, Arch::ppc64le);
  const PlatformTag android = parse_platform_tag("android_24_arm64_v8a");
  EXPECT_EQ(android.family, Family::Android);
  EXPECT_EQ(android.libc, (Version{{24, 0, 0, 0}}));
  EXPECT_EQ(android.arch, Arch::aarch64);
  EXPECT_EQ(parse_platform_tag("any").family, Family::Any);
  EXPECT_EQ(parse_platform_tag("macosx_10_9_x86_64").family, Family::Other);
}

TEST(PlatformTag, GivesLegacyAliasesTheirCanonicalName) {
  EXPECT_EQ(parse_platform_tag("manylinux1_i686").canonical, "manylinux_2_5_i686");
  EXPECT_EQ(parse_platform_tag("manylinux2010_x86_64").canonical, "manylinux_2_12_x86_64");
  EXPECT_EQ(parse_platform_tag("manylinux2014_aarch64").canonical, "manylinux_2_17_aarch64");
  EXPECT_EQ(parse_platform_tag("manylinux2014_aarch64").text, "manylinux2014_aarch64");
}

TEST(PlatformTag, KeepsArmv6AndArmv7Apart) {
  EXPECT_EQ(parse_platform_tag("linux_armv6l").arch, Arch::armv6l);
  EXPECT_EQ(parse_platform_tag("linux_armv7l").arch, Arch::armv7l);
}

TEST(RunsOn, TakesOlderArmCodeOnNewerMachinesOnly) {
  EXPECT_TRUE(runs_on(Arch::armv6l, Arch::armv7l));
  EXPECT_FALSE(runs_on(Arch::armv7l, Arch::armv6l));
  EXPECT_TRUE(runs_on(Arch::s390x, Arch::s390x));
  EXPECT_FALSE(runs_on(Arch::i686, Arch::x86_64));
  EXPECT_FALSE(runs_on(Arch::Other, Arch::Other));
}

TEST(PlatformTag, ReadsX86Variants) {
  const PlatformTag tag = parse_platform_tag("linux_x86_64_v3");
  EXPECT_EQ(tag.arch, Arch::x86_64);
  EXPECT_EQ(tag.isa, "x86_64_v3");
}

TEST(PlatformTag, TakesNoNonsenseForALevel) {
  EXPECT_EQ(parse_platform_tag("manylinux_2_x86_64").family, Family::Other);
  EXPECT_EQ(parse_platform_tag("manylinux_2_99999999999_x86_64").family, Family::Other);
  EXPECT_EQ(parse_platform_tag("manylinux__17_x86_64").family, Family::Other);
  EXPECT_EQ(parse_platform_tag("").family, Family::Other);
  EXPECT_EQ(parse_platform_tag("manylinux_2_17_vax").arch, Arch::Other);
}

}  // namespace
}  // namespace wheelcheck::test::platform_test
