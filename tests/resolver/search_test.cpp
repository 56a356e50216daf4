// Tests the directories that are searched for a name, and the meaning of a path element.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/resolver/support.h"

namespace wheelcheck::test {
namespace {

ElfBuilder library(const std::string& path) { return ElfBuilder(path).soname(path.substr(path.rfind('/') + 1)); }

TEST(Search, FindsALibraryBesideItsUserThroughOrigin) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/../p.libs"), library("p.libs/liba.so")});
  const Asked requested(wheel);
  const NeededFound& entry = requested.of("p/x.so", "liba.so");
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "p.libs/liba.so");
  EXPECT_EQ(entry.how, How::Runpath);
  EXPECT_EQ(entry.element, "$ORIGIN/../p.libs");
  EXPECT_EQ(requested.path_of(*entry.by), "p/x.so");
  EXPECT_EQ(requested.path_of(entry.root), "p/x.so");
  EXPECT_FALSE(entry.unreached);
}

TEST(Search, KnowsBothSpellingsOfOriginAndNoThird) {
  const auto found_by = [](const std::string& element) {
    const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath(element), library("p/liba.so")});
    return Asked(wheel).where("p/x.so", "liba.so");
  };
  EXPECT_EQ(found_by("$ORIGIN"), "p/liba.so");
  EXPECT_EQ(found_by("${ORIGIN}"), "p/liba.so");
  EXPECT_EQ(found_by("$ORIGIN/"), "p/liba.so");
  EXPECT_EQ(found_by("$ORIGIN/.//../p"), "p/liba.so");
  EXPECT_EQ(found_by("$ORIGINAL"), "outside");
  EXPECT_EQ(found_by("${ORIGIN"), "outside");
  EXPECT_EQ(found_by("$origin"), "outside");
}

TEST(Search, GluesTextToOriginAsItStands) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath("${ORIGIN}.libs"), library("p.libs/liba.so")});
  EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "p.libs/liba.so");
}

TEST(Search, NeverCountsOnTheWorkingDirectoryOrAnAbsolutePath) {
  for (const char* element : {"", ".", "p", "./p", "/usr/lib", "/lib/python3.11/site-packages/p"}) {
    const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath(element), library("p/liba.so")});
    EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "outside") << element;
  }
}

TEST(Search, DoesNotGoUpThroughADirectoryThatDoesNotExist) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so")
                                         .needed("liba.so")
                                         .needed("libb.so")
                                         .runpath("$ORIGIN/ghost/../lib")
                                         .runpath("$ORIGIN/l/../l"),
                                     library("p/lib/liba.so"), library("p/l/libb.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "outside");
  EXPECT_EQ(requested.where("p/x.so", "libb.so"), "p/l/libb.so");
}

TEST(Search, DoesNotLeaveTheInstallationPrefixAndComeBack) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("x.so").needed("liba.so").runpath("$ORIGIN/../../../../lib/python3.11/site-packages"),
                library("liba.so")});
  EXPECT_EQ(Asked(wheel).where("x.so", "liba.so"), "outside");
  const WheelFacts inside = wheel_of(
      {ElfBuilder("x.so").needed("liba.so").runpath("$ORIGIN/../../python3.11/site-packages"), library("liba.so")});
  EXPECT_EQ(Asked(inside).where("x.so", "liba.so"), "liba.so");
}

TEST(Search, EndsAtADirectoryWithTheNameOfALibrary) {
  const auto user = ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/a").runpath("$ORIGIN/b");
  const auto found_beside = [&](const char* other) {
    const WheelFacts wheel = wheel_of({user, library("p/b/liba.so"), library(other)});
    return Asked(wheel).where("p/x.so", "liba.so");
  };
  EXPECT_EQ(found_beside("p/a/other.so/x"), "p/b/liba.so");
  EXPECT_EQ(found_beside("p/a/liba.so/x"), "outside");
}

TEST(Search, CountsLibOnlyWhereEveryDistributionFindsIt) {
  const auto user = ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/$LIB");
  const WheelFacts fedora = wheel_of({user, library("p/lib64/liba.so")});
  EXPECT_EQ(Asked(fedora).where("p/x.so", "liba.so"), "outside");
  const WheelFacts two = wheel_of(
      {user, library("p/lib64/liba.so"), library("p/lib/liba.so"), library("p/lib/x86_64-linux-gnu/libother.so")});
  EXPECT_EQ(Asked(two).where("p/x.so", "liba.so"), "outside");
  const WheelFacts all =
      wheel_of({user, library("p/lib64/liba.so"), library("p/lib/liba.so"), library("p/lib/x86_64-linux-gnu/liba.so")});
  EXPECT_EQ(Asked(all).where("p/x.so", "liba.so"), "p/lib64/liba.so");
}

TEST(Search, CountsPlatformOnlyWhereEveryProcessorFindsIt) {
  const auto user = ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/${PLATFORM}");
  const WheelFacts one = wheel_of({user, library("p/x86_64/liba.so")});
  EXPECT_EQ(Asked(one).where("p/x.so", "liba.so"), "outside");
  const WheelFacts all =
      wheel_of({user, library("p/x86_64/liba.so"), library("p/haswell/liba.so"), library("p/xeon_phi/liba.so")});
  EXPECT_EQ(Asked(all).where("p/x.so", "liba.so"), "p/x86_64/liba.so");
}

TEST(Search, DoesNotCountALibraryForSomeProcessorsOnly) {
  const WheelFacts wheel = wheel_of(
      {ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN"), library("p/glibc-hwcaps/x86-64-v3/liba.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "outside");
  EXPECT_EQ(requested.path_of(*requested.of("p/x.so", "liba.so").unreached), "p/glibc-hwcaps/x86-64-v3/liba.so");
}

TEST(Search, IgnoresRpathWhereThereIsRunpath) {
  const WheelFacts wheel = wheel_of(
      {ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/lib").runpath("$ORIGIN/ghost"), library("p/lib/liba.so")});
  EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "outside");
}

TEST(Search, HandsRpathDownToGrandchildren) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/lib"),
                                     library("p/lib/liba.so").needed("libb.so"), library("p/lib/libb.so")});
  const Asked requested(wheel);
  const NeededFound& entry = requested.of("p/lib/liba.so", "libb.so");
  EXPECT_EQ(requested.where("p/lib/liba.so", "libb.so"), "p/lib/libb.so");
  EXPECT_EQ(entry.how, How::Rpath);
  EXPECT_EQ(requested.path_of(*entry.by), "p/x.so");
}

TEST(Search, KeepsRunpathForTheFileItself) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/lib"),
                                     library("p/lib/liba.so").needed("libb.so"), library("p/lib/libb.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/lib/liba.so", "libb.so"), "outside");
  EXPECT_EQ(requested.path_of(*requested.of("p/lib/liba.so", "libb.so").unreached), "p/lib/libb.so");
}

TEST(Search, TakesNoInheritedRpathForAFileWithRunpath) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/lib"),
                library("p/lib/liba.so").needed("libb.so").runpath("$ORIGIN/ghost"), library("p/lib/libb.so")});
  EXPECT_EQ(Asked(wheel).where("p/lib/liba.so", "libb.so"), "outside");
}

TEST(Search, PassesRpathThroughAFileWithRunpathToItsDependencies) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/lib"),
                                     library("p/lib/liba.so").needed("libb.so").runpath("$ORIGIN/deep"),
                                     library("p/lib/deep/libb.so").needed("libc2.so"), library("p/lib/libc2.so")});
  EXPECT_EQ(Asked(wheel).where("p/lib/deep/libb.so", "libc2.so"), "p/lib/libc2.so");
}

TEST(Search, AsksTheNearestRpathFirst) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/far"),
                                     library("p/far/liba.so").needed("libb.so").rpath("$ORIGIN/../near"),
                                     library("p/far/libb.so"), library("p/near/libb.so")});
  EXPECT_EQ(Asked(wheel).where("p/far/liba.so", "libb.so"), "p/near/libb.so");
}

TEST(Search, AsksAFartherRpathAfterTheNearest) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").rpath("$ORIGIN/far"),
                                     library("p/far/liba.so").needed("libb.so").rpath("$ORIGIN/../near"),
                                     library("p/far/libb.so"), library("p/near/libother.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/far/liba.so", "libb.so"), "p/far/libb.so");
  EXPECT_EQ(requested.path_of(*requested.of("p/far/liba.so", "libb.so").by), "p/x.so");
}

TEST(Search, PassesOverAFileOfAnotherMachineOrClass) {
  const auto user = ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/1").runpath("$ORIGIN/2");
  for (const bool other_class : {false, true}) {
    const WheelFacts wheel = wheel_of({user, library("p/1/liba.so").edit([&](ElfMember& m) {
                                         if (other_class)
                                           m.facts.bits = 32;
                                         else
                                           m.facts.machine = 183;
                                       }),
                                       library("p/2/liba.so")});
    EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "p/2/liba.so");
  }
}

TEST(Search, EndsAtAFileThatNoLoaderWouldMap) {
  const auto user = ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/1").runpath("$ORIGIN/2");
  const auto with_first = [&](const std::function<void(ElfMember&)>& change) {
    const WheelFacts wheel = wheel_of({user, library("p/1/liba.so").edit(change), library("p/2/liba.so")});
    return Asked(wheel).where("p/x.so", "liba.so");
  };
  EXPECT_EQ(with_first([](ElfMember& m) { m.role = BrokenElf{}; }), "outside");
  EXPECT_EQ(with_first([](ElfMember& m) { m.facts.kind = ElfKind::Relocatable; }), "outside");
  EXPECT_EQ(with_first([](ElfMember& m) { m.facts.kind = ElfKind::Executable; }), "outside");
  EXPECT_EQ(with_first([](ElfMember& m) { m.facts.little_endian = false; }), "outside");
  EXPECT_EQ(with_first([](ElfMember& m) { m.facts.os_abi = 51; }), "outside");
  EXPECT_EQ(with_first([](ElfMember& m) { m.facts.os_abi = 3; }), "p/1/liba.so");
}

TEST(Search, EndsAtASymbolicLinkThatWasPackedAsText) {
  const WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                               .elf(ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/1").runpath("$ORIGIN/2"))
                               .elf(library("p/2/liba.so"))
                               .member("p/1/liba.so", 12)
                               .build();
  EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "outside");
}

TEST(Search, OpensANameWithASlashAsItStands) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("$ORIGIN/lib/liba.so").needed("/opt/libb.so").needed("lib/libb.so"),
                library("p/lib/liba.so"), library("p/lib/libb.so")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "$ORIGIN/lib/liba.so"), "p/lib/liba.so");
  EXPECT_EQ(requested.of("p/x.so", "$ORIGIN/lib/liba.so").how, How::Path);
  EXPECT_EQ(requested.where("p/x.so", "/opt/libb.so"), "outside");
  EXPECT_EQ(requested.where("p/x.so", "lib/libb.so"), "outside");
}

TEST(Search, SeesTheInstalledLayoutOfTheDataDirectory) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/../../..").runpath("$ORIGIN/../p.libs"),
                library("foo-1.0.data/data/lib/liba.so").edit([](ElfMember& m) { m.installed = "lib/liba.so"; })});
  EXPECT_EQ(Asked(wheel).where("p/x.so", "liba.so"), "foo-1.0.data/data/lib/liba.so");
}

TEST(Search, FindsLibrariesOfAProviderForAnyPythonVersion) {
  const WheelFacts wheel = wheel_of({ElfBuilder("p/x.so").needed("liba.so").runpath("$ORIGIN/../q/lib")});
  std::vector<WheelFacts> providers;
  providers.push_back(wheel_of(
      {library("q/lib/liba.so").edit([](ElfMember& m) { m.installed = "lib/python3.12/site-packages/q/lib/liba.so"; })},
      "q-1.0-cp312-cp312-manylinux_2_17_x86_64.whl"));
  const Asked requested(wheel, providers);
  EXPECT_EQ(requested.of("p/x.so", "liba.so").found, Found::InProvider);
  EXPECT_EQ(requested.of("p/x.so", "liba.so").provider->wheel, WheelIndex{1});
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "q/lib/liba.so");
}

TEST(Search, TakesTheWordOfExternalOnlyForWhatIsNotFound) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("liba.so").needed("libcublas.so.12").needed("libz.so.1").runpath("$ORIGIN"),
                library("p/liba.so")});
  const Asked requested(wheel, {}, {"lib[ac]*"});
  EXPECT_EQ(requested.where("p/x.so", "liba.so"), "p/liba.so");
  EXPECT_EQ(requested.where("p/x.so", "libcublas.so.12"), "declared");
  EXPECT_EQ(requested.where("p/x.so", "libz.so.1"), "outside");
}

TEST(Search, LeavesToTheProcessWhatItHas) {
  const WheelFacts wheel =
      wheel_of({ElfBuilder("p/x.so").needed("libc.so.6").needed("ld-linux-x86-64.so.2").rpath("$ORIGIN"),
                library("p/libc.so.6"), library("p/ld-linux-x86-64.so.2")});
  const Asked requested(wheel);
  EXPECT_EQ(requested.where("p/x.so", "libc.so.6"), "process");
  EXPECT_EQ(requested.where("p/x.so", "ld-linux-x86-64.so.2"), "process");
}

TEST(Search, LetsAProgramBringItsOwnLibc) {
  const WheelFacts with = wheel_of({ElfBuilder("p/tool").needed("libc.so.6").rpath("$ORIGIN"), library("p/libc.so.6")});
  EXPECT_EQ(Asked(with).where("p/tool", "libc.so.6"), "p/libc.so.6");
  const WheelFacts without = wheel_of({ElfBuilder("p/tool").needed("libc.so.6").rpath("$ORIGIN")});
  EXPECT_EQ(Asked(without).where("p/tool", "libc.so.6"), "process");
}

}  // namespace
}  // namespace wheelcheck::test
