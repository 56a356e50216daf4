// Tests the versions that a file of the run must define, which ld.so checks before relocation.
#include <gtest/gtest.h>

#include "tests/resolver/support.h"

namespace wheelcheck::test {
namespace {

ElfBuilder user() { return ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN"); }

TEST(Versions, MissingOnesAreReportedWithUserNeedAndProvider) {
  const WheelFacts wheel =
      wheel_of({user().need("liba.so", "A_1").need("liba.so", "A_2"), ElfBuilder("p/liba.so").defines("A_1")});
  const Asked requested(wheel);
  ASSERT_EQ(requested.answer.missing_versions.size(), 1u);
  const MissingVersion& missing = requested.answer.missing_versions[0];
  EXPECT_EQ(missing.user, elf_at(wheel, "p/x.so"));
  EXPECT_EQ(missing.need, NeedIndex{1});
  EXPECT_EQ(requested.path_of(missing.provider), "p/liba.so");
}

TEST(Versions, WeakNeedsMayBeMissing) {
  const WheelFacts wheel = wheel_of({user().need("liba.so", "A_2", true), ElfBuilder("p/liba.so").defines("A_1")});
  EXPECT_TRUE(Asked(wheel).answer.missing_versions.empty());
}

TEST(Versions, AProviderWithoutAnyDefinitionIsTakenAtItsWord) {
  const auto wheel = [](ElfBuilder provider) { return wheel_of({user().need("liba.so", "A_2"), std::move(provider)}); };
  const WheelFacts with_needs = wheel(ElfBuilder("p/liba.so").need("libc.so.6", "GLIBC_2.2.5"));
  EXPECT_TRUE(Asked(with_needs).answer.missing_versions.empty());
  // A file without DT_VERSYM ends the process (glibc elf/dl-lookup.c, check_match).
  const WheelFacts without = wheel(ElfBuilder("p/liba.so"));
  EXPECT_EQ(Asked(without).answer.missing_versions.size(), 1U);
}

TEST(Versions, AreNotAskedOfWhatLiesOutside) {
  const WheelFacts wheel = wheel_of({user().need("liba.so", "A_2")});
  EXPECT_TRUE(Asked(wheel).answer.missing_versions.empty());
}

TEST(Versions, AreAskedOfTheFileThatAnsweredToTheName) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("libold.so").needed("liby.so").rpath("$ORIGIN"),
                ElfBuilder("p/libold.so").soname("liba.so").defines("A_1"),
                ElfBuilder("p/liby.so").needed("liba.so").need("liba.so", "A_2").runpath("$ORIGIN"),
                ElfBuilder("p/liba.so").soname("liba.so").defines("A_2")});
  const Asked requested(wheel);
  ASSERT_EQ(requested.answer.missing_versions.size(), 1u);
  EXPECT_EQ(requested.path_of(requested.answer.missing_versions[0].provider), "p/libold.so");
}

TEST(Versions, AreReportedOnceForManyWalks) {
  const WheelFacts wheel =
      wheel_of({user().need("liba.so", "A_2"), ElfBuilder("p/liba.so").defines("A_1"),
                ElfBuilder("p/y.so").needed("liby.so").runpath("$ORIGIN"),
                ElfBuilder("p/z.so").needed("liby.so").runpath("$ORIGIN"),
                ElfBuilder("p/liby.so").needed("liba.so").need("liba.so", "A_3").runpath("$ORIGIN")});
  EXPECT_EQ(Asked(wheel).answer.missing_versions.size(), 2u);
}

TEST(Versions, AreNoMatterToMusl) {
  const WheelFacts wheel =
      wheel_of({user().libc(Libc::Musl).need("liba.so", "A_2"), ElfBuilder("p/liba.so").defines("A_1")},
               "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl");
  EXPECT_TRUE(Asked(wheel).answer.missing_versions.empty());
}

TEST(Versions, OfAProvidersLibraryAreAsked) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").need("liba.so", "A_2").runpath("$ORIGIN/../q")});
  std::vector<WheelFacts> providers;
  providers.push_back(
      wheel_of({ElfBuilder("q/liba.so").defines("A_1")}, "q-1.0-cp311-cp311-manylinux_2_17_x86_64.whl"));
  const Asked requested(wheel, providers);
  ASSERT_EQ(requested.answer.missing_versions.size(), 1u);
  EXPECT_EQ(requested.answer.missing_versions[0].provider.wheel, WheelIndex{1});
}

}  // namespace
}  // namespace wheelcheck::test
