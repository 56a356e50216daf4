// Tests the order of a walk: which files are already loaded when a name is needed, and the roots of the walks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "resolver/resolve.h"
#include "tests/resolver/support.h"

namespace wheelcheck::test {
namespace {

using testing::ElementsAre;

ElfBuilder library(const std::string& path) { return ElfBuilder(path).soname(path.substr(path.rfind('/') + 1)); }

TEST(Walk, KnowsALoadedFileByItsSoname) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba-renamed.so").needed("liby.so").rpath("$ORIGIN"),
                library("p/liby.so").needed("liba.so.1"), ElfBuilder("p/liba-renamed.so").soname("liba.so.1")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/liby.so", "liba.so.1"), "p/liba-renamed.so");
  EXPECT_EQ(requested.of("p/liby.so", "liba.so.1").how, How::AlreadyLoaded);
}

TEST(Walk, KnowsALoadedFileWithoutSonameByTheNameItWasReachedBy) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").needed("liby.so").runpath("$ORIGIN"),
                                     ElfBuilder("p/liba.so"), library("p/liby.so").needed("liba.so")});
  EXPECT_EQ(Asked(wheel).where("p/liby.so", "liba.so"), "p/liba.so");
}

// x needs y and z; y needs deep, and z needs a name that only deep's soname provides. Breadth first, z is processed
// before deep.
TEST(Walk, GoesBreadthFirst) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liby.so").needed("libz.so").runpath("$ORIGIN"),
                library("p/liby.so").needed("libmid.so").runpath("$ORIGIN"),
                library("p/libmid.so").needed("libdeep.so").runpath("$ORIGIN"),
                ElfBuilder("p/libdeep.so").soname("libname.so"), library("p/libz.so").needed("libname.so")});
  EXPECT_EQ(Asked(wheel).where("p/libz.so", "libname.so"), "outside");
}

TEST(Walk, FindsWithASiblingsHelpOnlyAfterTheSibling) {
  const auto y = library("p/liby.so").needed("liba.so").runpath("$ORIGIN/lib");
  const auto z = library("p/libz.so").needed("liba.so");
  const auto a = library("p/lib/liba.so");
  const WheelFacts after =
      wheel_of({ElfBuilder("p/x.so").needed("liby.so").needed("libz.so").runpath("$ORIGIN"), y, z, a});
  EXPECT_EQ(Asked(after).where("p/libz.so", "liba.so"), "p/lib/liba.so");
  EXPECT_EQ(Asked(after).of("p/libz.so", "liba.so").how, How::AlreadyLoaded);
  const WheelFacts before =
      wheel_of({ElfBuilder("p/x.so").needed("libz.so").needed("liby.so").runpath("$ORIGIN"), y, z, a});
  EXPECT_EQ(Asked(before).where("p/libz.so", "liba.so"), "outside");
}

// After the platform's library is loaded under a name, the wheel's copy is not searched for.
TEST(Walk, GivesTheOutsideFileToAllLaterUsersOfTheName) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("libstdc++.so.6").needed("liby.so").runpath("$ORIGIN"),
                library("p/liby.so").needed("libstdc++.so.6").runpath("$ORIGIN/lib"), library("p/lib/libstdc++.so.6")});
  EXPECT_EQ(Asked(wheel).where("p/liby.so", "libstdc++.so.6"), "outside");
}

TEST(Walk, KeepsTheWorstOfAllWalksAndNamesItsRoot) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/a.so").needed("liby.so").rpath("$ORIGIN"),
                                     ElfBuilder("p/b.so").needed("liby.so").runpath("$ORIGIN"),
                                     library("p/liby.so").needed("libz.so"), library("p/libz.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/liby.so", "libz.so"), "outside");
  EXPECT_EQ(requested.path_of(requested.of("p/liby.so", "libz.so").root), "p/b.so");
}

TEST(Walk, EndsInACycle) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").soname("x.so").needed("liba.so").rpath("$ORIGIN"),
                library("p/liba.so").needed("libb.so"), library("p/libb.so").needed("liba.so").needed("x.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/libb.so", "liba.so"), "p/liba.so");
  EXPECT_EQ(requested.where("p/libb.so", "x.so"), "p/x.so");
}

TEST(Walk, TellsTwoFilesOfOneNameApart) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("libdup.so").runpath("$ORIGIN/1"),
                                     ElfBuilder("q/y.so").needed("libdup.so").runpath("$ORIGIN/2"),
                                     ElfBuilder("p/1/libdup.so"), ElfBuilder("q/2/libdup.so").needed("libghost.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "libdup.so"), "p/1/libdup.so");
  EXPECT_EQ(requested.where("q/y.so", "libdup.so"), "q/2/libdup.so");
  EXPECT_EQ(requested.where("q/2/libdup.so", "libghost.so"), "outside");
}

TEST(Walk, StartsFromLibrariesThatNothingElseLoads) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("libused.so").runpath("$ORIGIN"),
                                     library("p/libused.so"), library("p/libalone.so").needed("libused.so")});
  const Asked requested(wheel);
  EXPECT_THAT(requested.roots(), ElementsAre("p/x.so", "p/libalone.so"));
  EXPECT_EQ(requested.where("p/libalone.so", "libused.so"), "outside");
}

TEST(Walk, StartsFromTheUserOfALibraryNotFromTheLibrary) {
  const WheelFacts wheel = wheel_of({library("p/liba.so").needed("libcore.so"), library("p/libcore.so"),
                                     library("p/libz.so").needed("liba.so").rpath("$ORIGIN")});
  const Asked requested(wheel);
  EXPECT_THAT(requested.roots(), ElementsAre("p/libz.so"));
  EXPECT_EQ(requested.where("p/liba.so", "libcore.so"), "p/libcore.so");
}

TEST(Walk, StartsFromTheFirstOfALoneCycle) {
  const WheelFacts wheel = wheel_of({library("p/libb.so").needed("liba.so").runpath("$ORIGIN"),
                                     library("p/liba.so").needed("libb.so").runpath("$ORIGIN")});
  EXPECT_THAT(Asked(wheel).roots(), ElementsAre("p/liba.so"));
}

TEST(Walk, LeavesForeignCodeAlone) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/gpu.so").role(ForeignCode{"device code"}).needed("libcudart.so"),
                                     ElfBuilder("p/bad.so").role(BrokenElf{})});
  const Asked requested(wheel);
  EXPECT_THAT(requested.roots(), ElementsAre());
  EXPECT_TRUE(requested.answer.needed[0].empty());
  EXPECT_EQ(requested.answer.needed.size(), 2u);
}

TEST(Walk, LoadsAFilteeBeforeTheRestOfTheList) {
  const auto filter = [](const std::string& path, bool auxiliary, const char* name) {
    return library(path).add([=](ElfMember& m, StringPool& pool) {
      (auxiliary ? m.facts.dynamic->auxiliaries : m.facts.dynamic->filters).push_back(pool.add(name));
    });
  };
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("libf.so").needed("liba.so").rpath("$ORIGIN"),
                                     filter("p/libf.so", false, "libreal.so"), filter("p/liba.so", true, "libnone.so"),
                                     library("p/libreal.so").needed("libbase.so"), library("p/libbase.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/libf.so", "libreal.so"), "p/libreal.so");
  EXPECT_EQ(requested.where("p/libreal.so", "libbase.so"), "p/libbase.so");
  EXPECT_TRUE(
      requested.answer.needed[elf_at(wheel, "p/liba.so").value].empty());  // a missing auxiliary is not an error
}

TEST(Walk, ReportsAMissingFilteeLikeANeed) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").add(
      [](ElfMember& m, StringPool& pool) { m.facts.dynamic->filters.push_back(pool.add("libgone.so")); })});
  EXPECT_EQ(Asked(wheel).where("p/x.so", "libgone.so"), "outside");
}

TEST(Walk, HasAnAnswerForEveryEntryWhenTheWorkRunsOut) {
  WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  for (int i = 0; i < 20; ++i) {
    const std::string next = "lib" + std::to_string(i + 1) + ".so";
    builder.elf(library("p/lib" + std::to_string(i) + ".so").needed(next).needed("libz.so.1").rpath("$ORIGIN"));
  }
  const WheelFacts wheel = builder.build();
  for (const std::uint64_t work : {0u, 1u, 7u, 25u, 60u, 1000u}) {
    const Resolution answer = resolver::resolve(wheel, {}, {}, work);
    EXPECT_EQ(
        answer.cut,
        work == 1000 ? "" : "the search for needed libraries ended at its limit of " + std::to_string(work) + " steps");
    for (const auto& entries : answer.needed) {
      ASSERT_EQ(entries.size(), 2u) << work;
      EXPECT_EQ(entries[1].found, Found::Outside);
    }
  }
}

TEST(Walk, AnswersForAHubThatManyModulesShare) {
  WheelBuilder builder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  ElfBuilder hub = library("p/libhub.so").runpath("$ORIGIN");
  for (int i = 0; i < 20'000; ++i) hub.needed("libmissing" + std::to_string(i) + ".so");
  builder.elf(hub);
  for (int i = 0; i < 50; ++i)
    builder.elf(ElfBuilder("p/m" + std::to_string(i) + ".so").needed("libhub.so").runpath("$ORIGIN"));
  const WheelFacts wheel = builder.build();
  const Asked requested(wheel);
  EXPECT_EQ(requested.answer.needed[elf_at(wheel, "p/libhub.so").value].size(), 20'000u);
  EXPECT_EQ(requested.where("p/libhub.so", "libmissing19999.so"), "outside");
}

}  // namespace
}  // namespace wheelcheck::test
