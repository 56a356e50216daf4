// Tests the pairing of files of two releases.
#include "diff/match.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wheelcheck::diff {
namespace {

using Files = std::vector<FileIdentity>;

FileIdentity elf(std::string_view path, std::string_view sha256 = "", std::string_view library = "") {
  return {.path = path, .sha256 = sha256, .elf = true, .library = library};
}
FileIdentity text(std::string_view path, std::string_view sha256 = "") { return {.path = path, .sha256 = sha256}; }

// "old -> new (how)", in the order given.
std::vector<std::string> matched(const Files& old, const Files& now) {
  std::vector<std::string> out;
  for (const FilePair& pair : match(old, now))
    out.push_back((pair.old ? std::string(old[pair.old->value].path) : "nothing") + " -> " +
                  (pair.now ? std::string(now[pair.now->value].path) : "nothing") + " (" +
                  std::string(name_of(pair.by)) + ")");
  return out;
}

TEST(Match, TheSamePathIsTheSameFileWhateverItHolds) {
  EXPECT_THAT(matched({elf("a/x.so", "1"), text("b.py", "2")}, {elf("a/x.so", "2"), text("b.py", "1")}),
              testing::ElementsAre("a/x.so -> a/x.so (path)", "b.py -> b.py (path)"));
}

TEST(Match, WhatIsNewComesBeforeWhatIsGone) {
  EXPECT_THAT(matched({text("gone.py", "1")}, {text("new.py", "2")}),
              testing::ElementsAre("nothing -> new.py (none)", "gone.py -> nothing (none)"));
}

TEST(Match, TheReleaseInADirectorysNameIsNoDifference) {
  EXPECT_THAT(matched({text("foo-1.0.dist-info/METADATA"), text("foo-1.0.data/purelib/foo-1.0.py")},
                      {text("foo-2.0rc1.dist-info/METADATA"), text("foo-2.0rc1.data/purelib/foo-1.0.py")}),
              testing::ElementsAre("foo-1.0.dist-info/METADATA -> foo-2.0rc1.dist-info/METADATA (release)",
                                   "foo-1.0.data/purelib/foo-1.0.py -> foo-2.0rc1.data/purelib/foo-1.0.py (release)"));
}

TEST(Match, MovedFilesAreKnownByTheirBytes) {
  EXPECT_THAT(matched({text("a/data.bin", "77")}, {text("b/other.bin", "77")}),
              testing::ElementsAre("a/data.bin -> b/other.bin (content)"));
}

TEST(Match, FilesWithoutBytesAreNotTheSameForThat) {
  EXPECT_THAT(matched({text("a/py.typed")}, {text("b/py.typed")}),
              testing::ElementsAre("nothing -> b/py.typed (none)", "a/py.typed -> nothing (none)"));
}

TEST(Match, CopiesArePairedInTheirOrder) {
  EXPECT_THAT(matched({text("a", "7"), text("b", "7"), text("c", "7")}, {text("d", "7"), text("e", "7")}),
              testing::ElementsAre("a -> d (content)", "b -> e (content)", "c -> nothing (none)"));
}

TEST(Match, RepairToolsHashesAreTakenOff) {
  EXPECT_THAT(
      matched({elf("foo.libs/libz-0a1b2c3d.so.1.2.11"), elf("foo.libs/libgfortran-040039e1.so.5.0.0")},
              {elf("foo.libs/libz-99999999.so.1.2.11"), elf("foo.libs/libgfortran-040039e1-0352e75f.so.5.0.0")}),
      testing::ElementsAre("foo.libs/libz-0a1b2c3d.so.1.2.11 -> foo.libs/libz-99999999.so.1.2.11 (name)",
                           "foo.libs/libgfortran-040039e1.so.5.0.0 -> "
                           "foo.libs/libgfortran-040039e1-0352e75f.so.5.0.0 (name)"));
}

TEST(Match, TheInterpretersSuffixIsTakenOff) {
  for (const char* const now : {"foo/_x.cpython-312-x86_64-linux-gnu.so", "foo/_x.abi3.so", "foo/_x.so",
                                "foo/_x.pypy311-pp73-x86_64-linux-gnu.so"})
    EXPECT_THAT(matched({elf("foo/_x.cpython-311-x86_64-linux-gnu.so")}, {elf(now)}),
                testing::ElementsAre("foo/_x.cpython-311-x86_64-linux-gnu.so -> " + std::string(now) + " (name)"));
}

TEST(Match, ALibraryMayHaveAnotherNumber) {
  EXPECT_THAT(matched({elf("foo.libs/libssl-0a1b2c3d.so.1.1.1k")}, {elf("foo.libs/libssl-99999999.so.3")}),
              testing::ElementsAre("foo.libs/libssl-0a1b2c3d.so.1.1.1k -> foo.libs/libssl-99999999.so.3 (soname)"));
  EXPECT_THAT(matched({elf("foo/libbar-1.2.so")}, {elf("foo/libbar-1.10.so")}),
              testing::ElementsAre("foo/libbar-1.2.so -> foo/libbar-1.10.so (soname)"));
}

TEST(Match, TwoThatCouldBeMeantAreNone) {
  EXPECT_THAT(matched({elf("foo/libbar.so.1")}, {elf("foo/libbar.so.2"), elf("foo/libbar.so.3")}),
              testing::ElementsAre("nothing -> foo/libbar.so.2 (none)", "nothing -> foo/libbar.so.3 (none)",
                                   "foo/libbar.so.1 -> nothing (none)"));
}

TEST(Match, AKnownLibraryIsItselfUnderAnyName) {
  EXPECT_THAT(
      matched({elf("numpy.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so", "", "openblas"), elf("numpy.libs/a.so")},
              {elf("numpy.libs/b.so"), elf("numpy.libs/libscipy_openblas64_-32a4b2a6.so", "", "openblas")}),
      testing::Contains("numpy.libs/libopenblas64_p-r0-0cf96a72.3.23.dev.so -> "
                        "numpy.libs/libscipy_openblas64_-32a4b2a6.so (library)"));
}

TEST(Match, AModuleMayMoveToAnotherPackage) {
  EXPECT_THAT(matched({elf("numpy/core/_simd.cpython-311-x86_64-linux-gnu.so"), text("numpy/core/api.py")},
                      {elf("numpy/_core/_simd.cpython-311-x86_64-linux-gnu.so"), text("numpy/_core/api.py")}),
              testing::ElementsAre("numpy/core/_simd.cpython-311-x86_64-linux-gnu.so -> "
                                   "numpy/_core/_simd.cpython-311-x86_64-linux-gnu.so (directory)",
                                   "numpy/core/api.py -> numpy/_core/api.py (directory)"));
}

TEST(Match, AFolderThatWasSplitTakesNothingAlong) {
  const auto pairs =
      matched({elf("a/_x.so"), elf("a/_y.so"), text("a/t.py")}, {elf("b/_x.so"), elf("c/_y.so"), text("b/t.py")});
  EXPECT_THAT(pairs, testing::Contains("a/t.py -> nothing (none)"));
}

TEST(Match, ASurerWayComesFirst) {
  // The new libfoo.so.2 has the soname of the old file, but the old file is in another place with the same bytes.
  EXPECT_THAT(
      matched({elf("foo/libfoo.so.1", "7")}, {elf("foo/libfoo.so.2", "8"), elf("foo/old/libfoo.so.1", "7")}),
      testing::ElementsAre("nothing -> foo/libfoo.so.2 (none)", "foo/libfoo.so.1 -> foo/old/libfoo.so.1 (content)"));
}

TEST(LibraryStem, IsWhatStandsBeforeTheNumbers) {
  EXPECT_EQ(library_stem("libfoo.so.1.2.3"), "libfoo");
  EXPECT_EQ(library_stem("libfoo-1.2.so"), "libfoo");
  EXPECT_EQ(library_stem("libopenblas64_p-r0-0cf96a72.3.23.dev.so"), "libopenblas64_p-r0");
  EXPECT_EQ(library_stem("libx265-4.so.215"), "libx265");
  EXPECT_EQ(library_stem("libc++.so.1"), "libc++");
  EXPECT_EQ(library_stem("libfoo-2d.so"), "libfoo-2d");
  EXPECT_EQ(library_stem("x"), "x");
  EXPECT_EQ(library_stem(""), "");
}

TEST(WithoutRelease, TouchesTheFirstPartAlone) {
  EXPECT_EQ(without_release("foo-1.0.dist-info/licenses/a-1.0.data/x"), "foo.dist-info/licenses/a-1.0.data/x");
  EXPECT_EQ(without_release("foo/bar-1.0.dist-info/x"), "foo/bar-1.0.dist-info/x");
  EXPECT_EQ(without_release("foo-1.0/x"), "foo-1.0/x");
}

}  // namespace
}  // namespace wheelcheck::diff
