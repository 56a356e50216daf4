// Tests the comparison of files, needed libraries, known libraries and the C++ ABI of two releases.
#include "tests/diff/support.h"

namespace wheelcheck::test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

ElfBuilder module() { return ElfBuilder(module_so); }

std::vector<std::string> needed(const Diff& diff) {
  std::vector<std::string> out;
  for (const NeededChange& change : diff.contents.needed)
    out.push_back(change.library.old + " -> " + change.library.now + (change.whole ? " (whole)" : ""));
  return out;
}

TEST(Needed, IsComparedWithoutARepairToolsHash) {
  const Diff diff = difference(release("1.0").elf(module().needed("libz-0a1b2c3d.so.1").needed("libc.so.6")),
                               release("1.1").elf(module().needed("libz-99999999.so.1").needed("libc.so.6")));
  EXPECT_THAT(diff.contents.needed, IsEmpty());
}

TEST(Needed, TellsWhatCameWentAndHasAnotherNumber) {
  const Diff diff = difference(release("1.0").elf(module().needed("libssl.so.1.1").needed("libdl.so.2")),
                               release("1.1").elf(module().needed("libssl-0a1b2c3d.so.3").needed("libatomic.so.1")));
  EXPECT_THAT(needed(diff), ElementsAre(" -> libatomic.so.1 (whole)", "libssl.so.1.1 -> libssl.so.3 (whole)",
                                        "libdl.so.2 ->  (whole)"));
  EXPECT_THAT(diff.contents.needed[0].files, ElementsAre(module_so));
}

TEST(Needed, FollowsALibraryOfTheWheelToItsNewName) {
  const auto wheel = [](const char* number, const std::string& name) {
    return release(number).elf(module().needed(name)).elf(ElfBuilder("pkg/libcore.so").soname(name));
  };
  EXPECT_THAT(needed(difference(wheel("1.0", "libone.so"), wheel("1.1", "libtwo.so"))),
              ElementsAre("libone.so -> libtwo.so (whole)"));
}

TEST(Needed, OfANewFileCountsWhatIsNewToTheWheel) {
  const Diff diff = difference(release("1.0").elf(module().needed("libm.so.6")),
                               release("1.1")
                                   .elf(module().needed("libm.so.6"))
                                   .elf(ElfBuilder("pkg/_n.abi3.so").needed("libm.so.6").needed("libx.so.1")));
  EXPECT_THAT(needed(diff), ElementsAre(" -> libx.so.1 (whole)"));
}

TEST(ElfFiles, AHashAndASuffixAreNoChange) {
  const Diff diff = difference(release("1.0").elf(module()).elf(ElfBuilder("pkg.libs/libz-0a1b2c3d.so.1")),
                               release("1.1")
                                   .elf(ElfBuilder("pkg/_x.cpython-312-x86_64-linux-gnu.so"))
                                   .elf(ElfBuilder("pkg.libs/libz-99999999.so.1")));
  EXPECT_THAT(diff.contents.elfs, IsEmpty());
}

TEST(ElfFiles, ASonameThatChangedIsTold) {
  const Diff diff = difference(release("1.0").elf(ElfBuilder("pkg/libx.so").soname("libx.so.1")),
                               release("1.1").elf(ElfBuilder("pkg/libx.so").soname("libx.so.2")));
  ASSERT_EQ(diff.contents.elfs.size(), 1U);
  EXPECT_EQ(diff.contents.elfs[0].by, MatchedBy::Path);
  EXPECT_EQ(diff.contents.elfs[0].soname.old, "libx.so.1");
  EXPECT_EQ(diff.contents.elfs[0].soname.now, "libx.so.2");
}

TEST(Packages, ALibraryThatIsFromAnotherOne) {
  const auto with_package = [](const char* number, const char* name, std::optional<std::string> purl) {
    WheelReport out = with_facts(release(number).elf(ElfBuilder(name).soname(std::string(base_name(name)))).build());
    out.analysis.elfs.resize(1);
    if (purl) out.analysis.elfs[0].package = {.purl = *purl, .name = {}, .version = {}};
    return out;
  };
  const WheelReport old = with_package("1.0", "pkg.libs/libssl-0a1b2c3d.so.1.1", "pkg:deb/debian/libssl1.1@1");
  const auto change = [&](std::optional<std::string> purl) {
    return difference(old, with_package("1.1", "pkg.libs/libssl-99999999.so.3", std::move(purl))).contents.packages;
  };
  ASSERT_EQ(change("pkg:deb/debian/libssl3@2").size(), 1U);
  EXPECT_EQ(change("pkg:deb/debian/libssl3@2")[0].file, "pkg.libs/libssl-99999999.so.3");
  EXPECT_EQ(change("pkg:deb/debian/libssl3@2")[0].package.old, "pkg:deb/debian/libssl1.1@1");
  EXPECT_EQ(change(std::nullopt)[0].package.now, "");
  EXPECT_THAT(change("pkg:deb/debian/libssl1.1@1"), IsEmpty());
}

WheelReport with_library(const char* number, std::optional<std::string> version) {
  WheelReport out = with_facts(release(number).elf(module()).build());
  out.analysis.elfs.resize(1);
  if (version) out.analysis.elfs[0].libraries = {{.library = "zlib", .name = "zlib", .version = *version}};
  return out;
}

TEST(Libraries, HaveVersionsAndFiles) {
  const Diff diff = difference(with_library("1.0", "1.2.11"), with_library("1.1", "1.3.1"));
  ASSERT_EQ(diff.contents.libraries.size(), 1U);
  EXPECT_THAT(diff.contents.libraries[0].versions.old, ElementsAre("1.2.11"));
  EXPECT_THAT(diff.contents.libraries[0].versions.now, ElementsAre("1.3.1"));
  EXPECT_THAT(difference(with_library("1.0", "1.3"), with_library("1.1", "1.3")).contents.libraries, IsEmpty());
}

TEST(Libraries, ComeAndGo) {
  const Diff came = difference(with_library("1.0", std::nullopt), with_library("1.1", "1.3.1"));
  EXPECT_THAT(came.contents.libraries.at(0).files.old, IsEmpty());
  EXPECT_THAT(came.contents.libraries.at(0).files.now, ElementsAre(module_so));
  const Diff went = difference(with_library("1.0", "1.3.1"), with_library("1.1", std::nullopt));
  EXPECT_THAT(went.contents.libraries.at(0).files.now, IsEmpty());
}

WheelReport speaking(StringAbi abi, CxxRuntime runtime) {
  WheelReport out = with_library("1.0", std::nullopt);
  out.analysis.elfs[0].cxx.defined = abi;
  out.analysis.elfs[0].cxx.runtime = runtime;
  return out;
}

TEST(CxxAbi, IsToldWhereItChanged) {
  const auto changes = [](StringAbi old, CxxRuntime before, StringAbi now, CxxRuntime after) {
    return difference(speaking(old, before), speaking(now, after)).contents.cxx;
  };
  const CxxRuntime shared = CxxRuntime::Libstdcxx, linked_in = CxxRuntime::StaticLibstdcxx;
  ASSERT_EQ(changes(StringAbi::Old, shared, StringAbi::New, shared).size(), 1U);
  EXPECT_EQ(changes(StringAbi::Old, shared, StringAbi::New, shared)[0].string_abi.now, "new");
  EXPECT_EQ(changes(StringAbi::New, shared, StringAbi::New, linked_in).size(), 1U);
  EXPECT_THAT(changes(StringAbi::None, shared, StringAbi::New, shared), IsEmpty());
  EXPECT_THAT(changes(StringAbi::New, CxxRuntime::None, StringAbi::New, shared), IsEmpty());
}

// locust 2.14.1 lost py.typed, river 0.24.0 the code of 40 packages.
TEST(PythonFiles, ComeAndGo) {
  const Diff diff = difference(release("1.0").member("pkg/py.typed").member("pkg/old.py").member("pkg/x.txt"),
                               release("1.1").member("pkg/new.pyi").member("pkg/y.txt"));
  EXPECT_THAT(diff.contents.python_added, ElementsAre("pkg/new.pyi"));
  EXPECT_THAT(diff.contents.python_removed, ElementsAre("pkg/old.py", "pkg/py.typed"));
}

TEST(DeviceCode, TargetsComeAndGo) {
  const auto targets = [](std::vector<DeviceImage> images) {
    return module().facts([=](ElfFacts& facts, StringPool&) { facts.device.images = images; });
  };
  const Diff diff =
      difference(release("1.0").elf(
                     targets({{DeviceImage::Kind::Cubin, "sm_70", 1, 1}, {DeviceImage::Kind::Cubin, "sm_90", 1, 1}})),
                 release("1.1").elf(
                     targets({{DeviceImage::Kind::Cubin, "sm_90", 9, 9}, {DeviceImage::Kind::Cubin, "sm_100", 1, 1}})));
  EXPECT_THAT(diff.contents.device_added, ElementsAre("sm_100"));
  EXPECT_THAT(diff.contents.device_removed, ElementsAre("sm_70"));
}

}  // namespace
}  // namespace wheelcheck::test
