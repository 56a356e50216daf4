// Tests the differences of musl and bionic from glibc.
#include "resolver/libc_rules.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/resolver/support.h"

namespace wheelcheck::test {
namespace {

using resolver::LoaderKind;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* musl_wheel = "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl";

ElfBuilder musl(const std::string& path) { return ElfBuilder(path).libc(Libc::Musl); }

TEST(Musl, HandsRunpathDownLikeRpath) {
  const WheelFacts wheel = wheel_of({musl("p/x.so").needed("liba.so").runpath("$ORIGIN/lib"),
                                     musl("p/lib/liba.so").needed("libb.so"), musl("p/lib/libb.so")},
                                    musl_wheel);
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/lib/liba.so", "libb.so"), "p/lib/libb.so");
  EXPECT_EQ(requested.of("p/lib/liba.so", "libb.so").how, How::Runpath);
  EXPECT_EQ(requested.path_of(*requested.of("p/lib/liba.so", "libb.so").by), "p/x.so");
}

TEST(Musl, DoesNotKnowLoadedFilesBySoname) {
  const WheelFacts wheel = wheel_of({musl("p/x.so").needed("libold.so").needed("liby.so").runpath("$ORIGIN"),
                                     musl("p/libold.so").soname("liba.so"), musl("p/liby.so").needed("liba.so")},
                                    musl_wheel);
  EXPECT_EQ(Asked(wheel).where("p/liby.so", "liba.so"), "outside");
}

TEST(Musl, IsItselfUnderAllItsNames) {
  const WheelFacts wheel = wheel_of({musl("p/x.so")
                                         .needed("libc.musl-x86_64.so.1")
                                         .needed("ld-musl-x86_64.so.1")
                                         .needed("libpthread.so.0")
                                         .needed("libmount.so.1")},
                                    musl_wheel);
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "libc.musl-x86_64.so.1"), "process");
  EXPECT_EQ(requested.where("p/x.so", "ld-musl-x86_64.so.1"), "process");
  EXPECT_EQ(requested.where("p/x.so", "libpthread.so.0"), "process");
  EXPECT_EQ(requested.where("p/x.so", "libmount.so.1"), "outside");
}

TEST(Musl, GivesUpAPathWithATokenItDoesNotKnow) {
  const auto found_by = [](const std::string& element) {
    const WheelFacts wheel =
        wheel_of({musl("p/x.so").needed("liba.so").runpath("$ORIGIN").runpath(element), musl("p/liba.so")}, musl_wheel);
    return Asked(wheel).where("p/x.so", "liba.so");
  };
  EXPECT_EQ(found_by("/usr/lib"), "p/liba.so");
  EXPECT_EQ(found_by("$ORIGIN/$LIB"), "outside");
}

TEST(Musl, EndsAtAFileOfAnotherMachine) {
  const WheelFacts wheel =
      wheel_of({musl("p/x.so").needed("liba.so").runpath("$ORIGIN/1").runpath("$ORIGIN/2"),
                musl("p/1/liba.so").edit([](ElfMember& m) { m.facts.machine = 183; }), musl("p/2/liba.so")},
               musl_wheel);
  EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "outside");
}

TEST(Musl, RulesAFileThatSaysNothingInAMusllinuxWheel) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").libc(Libc::None).needed("liba.so").runpath("$ORIGIN"),
                ElfBuilder("p/liba.so").libc(Libc::None).needed("libb.so"), ElfBuilder("p/libb.so").libc(Libc::None)},
               musl_wheel);
  EXPECT_EQ(Asked(wheel).where("p/liba.so", "libb.so"), "p/libb.so");
}

TEST(Bionic, KnowsRunpathOnly) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").libc(Libc::Bionic).needed("liba.so").needed("libc.so").rpath("$ORIGIN"),
                ElfBuilder("p/y.so").libc(Libc::Bionic).needed("liba.so").runpath("$ORIGIN"),
                ElfBuilder("p/liba.so").libc(Libc::Bionic)},
               "foo-1.0-cp313-cp313-android_21_x86_64.whl");
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "outside");
  EXPECT_EQ(requested.where("p/x.so", "libc.so"), "process");
  EXPECT_EQ(requested.where("p/y.so", "liba.so"), "p/liba.so");
}

TEST(Tokens, GiveOneTextForEachMeaning) {
  EXPECT_THAT(resolver::expand("$ORIGIN/x", "a/b", Arch::x86_64, LoaderKind::Glibc), ElementsAre("a/b/x"));
  EXPECT_THAT(resolver::expand("${ORIGIN}/$LIB/${LIB}", "a", Arch::armv7l, LoaderKind::Glibc),
              ElementsAre("a/lib/lib", "a/lib/arm-linux-gnueabihf/lib/arm-linux-gnueabihf"));
  EXPECT_THAT(resolver::expand("$ORIGIN/$LIB", "a", Arch::aarch64, LoaderKind::Bionic), ElementsAre("a/lib64"));
  EXPECT_THAT(resolver::expand("$ORIGIN/$LIBRARY", "a", Arch::x86_64, LoaderKind::Glibc), ElementsAre("a/$LIBRARY"));
}

TEST(Tokens, GiveNothingWhereNoMachineKnowsThem) {
  EXPECT_THAT(resolver::expand("$ORIGIN/$PLATFORM", "a", Arch::riscv64, LoaderKind::Glibc), IsEmpty());
  EXPECT_THAT(resolver::expand("$ORIGIN/$LIB", "a", Arch::Other, LoaderKind::Glibc), IsEmpty());
  EXPECT_THAT(resolver::expand("$LIB/x", "a", Arch::x86_64, LoaderKind::Glibc), IsEmpty());
  EXPECT_THAT(resolver::expand("/x/$ORIGIN", "a", Arch::x86_64, LoaderKind::Glibc), IsEmpty());
}

TEST(Tokens, DoNotGrowAPathWithoutBound) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "$ORIGIN";
  EXPECT_THAT(resolver::expand(text, std::string(1000, 'a'), Arch::x86_64, LoaderKind::Glibc), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test
