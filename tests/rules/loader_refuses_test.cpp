#include "tests/rules/scene.h"

namespace wheelcheck::test::loader_refuses_test {
namespace {

std::vector<Finding> findings_of(ElfBuilder elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(std::move(elf))).run("loader-refuses");
}
ElfBuilder module() { return ElfBuilder(module_so).needed("libc.so.6").import("free", "libc.so.6", "GLIBC_2.2.5"); }

TEST(LoaderRefuses, NamesDf1Noopen) {
  const auto findings = findings_of(module().flags([](LoaderFlags& flags) { flags.noopen = true; }));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has DF_1_NOOPEN, so that dlopen refuses it");
  EXPECT_EQ(evidence(findings[0], "ld.so"), "shared object cannot be dlopen()ed");
}

std::vector<Finding> object_named(const std::string& path, MachineUse use = MachineUse::Host) {
  return findings_of(ElfBuilder(path).kind(ElfKind::Relocatable).use(use));
}

TEST(LoaderRefuses, NamesAnObjectFileThatPythonWouldOpen) {
  for (const char* path : {"foo/x.so", "foo/x.abi3.so"}) {
    const auto findings = object_named(path);
    ASSERT_EQ(findings.size(), 1U) << path;
    EXPECT_EQ(findings[0].message,
              "is an object file that is not linked, but its name makes Python or another file load it");
  }
}

TEST(LoaderRefuses, IsSilentAboutObjectFilesThatAreData) {
  EXPECT_TRUE(object_named("foo/x.o").empty());
  EXPECT_TRUE(object_named("foo/x.so", MachineUse::Device).empty());
}

TEST(LoaderRefuses, WantsTheVersionOfPackedRelocations) {
  const auto relr = [](LoaderFlags& flags) { flags.relr = true; };
  EXPECT_EQ(findings_of(module().flags(relr)).size(), 1U);
}

TEST(LoaderRefuses, IsSilentAboutPackedRelocationsWithTheirVersion) {
  const auto relr = [](LoaderFlags& flags) { flags.relr = true; };
  EXPECT_TRUE(findings_of(module().flags(relr).import("x", "libc.so.6", "GLIBC_ABI_DT_RELR")).empty());
  EXPECT_TRUE(findings_of(ElfBuilder("foo/libother.so").flags(relr)).empty()) << "without the C library";
}

TEST(LoaderRefuses, LooksForTheLibraryOfAVersionNeed) {
  const auto findings = findings_of(module().import("inflate", "libz.so.1", "ZLIB_1.2.9"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires ZLIB_1.2.9 of libz.so.1, but no file of the wheel has a DT_NEEDED for that library");
}

TEST(LoaderRefuses, NamesWhatLibcHadBefore) {
  const auto findings = findings_of(module().import("scalbln", "libc.so.6", "GLIBC_2.2.5"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires scalbln@GLIBC_2.2.5 of libc.so.6, but glibc has it in libm.so.6 only");
  EXPECT_EQ(findings[0].on->before, "2.30");
  const auto silent = [](const std::string& tag, const char* name, const char* library) {
    return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + ".whl")
                     .elf(module().needed("libm.so.6").import(name, library, "GLIBC_2.2.5")))
        .run("loader-refuses")
        .empty();
  };
  EXPECT_TRUE(silent("manylinux_2_31_x86_64", "scalbln", "libc.so.6")) << "glibc searches on since 2.30";
  EXPECT_TRUE(silent("manylinux_2_17_x86_64", "scalbln", "libm.so.6"));
  EXPECT_TRUE(silent("manylinux_2_17_x86_64", "scalbn", "libc.so.6")) << "libc has it too";
}

TEST(LoaderRefuses, NamesADynamicSectionInReadOnlyMemory) {
  const auto read_only = [](LoaderFlags& flags) { flags.read_only = true; };
  ASSERT_EQ(findings_of(module().flags(read_only)).size(), 1U);
  EXPECT_EQ(findings_of(module().flags(read_only))[0].message,
            "has a dynamic section in read-only memory; glibc before 2.35 writes to it and crashes");
}

TEST(LoaderRefuses, IsSilentAboutReadOnlyMemoryForNewGlibc) {
  const auto read_only = [](LoaderFlags& flags) { flags.read_only = true; };
  const auto findings =
      Scene(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_35_x86_64.whl").elf(module().flags(read_only)))
          .run("loader-refuses");
  EXPECT_TRUE(findings.empty());
}

std::vector<Finding> related(const std::string& tag, Libc libc, const std::vector<std::uint32_t>& types) {
  const auto have = [&](ElfFacts& facts, StringPool&) { facts.dynamic->types_not_in_musl = types; };
  return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + "_x86_64.whl")
                   .elf(ElfBuilder("foo/x.so").libc(libc).facts(have)))
      .run("loader-refuses");
}

TEST(LoaderRefuses, NamesRelocationTypesThatMuslDoesNotKnow) {
  for (const Libc libc : {Libc::Musl, Libc::None}) {
    const auto findings = related("musllinux_1_2", libc, {10, 37});
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].message, "has relocations of types that musl does not support: 10, 37");
    EXPECT_EQ(evidence(findings[0], "musl"), "unsupported relocation type 10");
  }
}

TEST(LoaderRefuses, IsSilentAboutTheseTypesForGlibc) {
  EXPECT_TRUE(related("manylinux_2_17", Libc::Glibc, {37}).empty());
  EXPECT_TRUE(related("musllinux_1_2", Libc::Musl, {}).empty());
}

std::vector<Finding> packed(const std::string& tag, Libc libc) {
  const auto relr = [](LoaderFlags& flags) { flags.relr = true; };
  return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + "_x86_64.whl")
                   .elf(ElfBuilder("foo/x.so").libc(libc).flags(relr))
                   .elf(ElfBuilder("foo.libs/liby.so.1").libc(libc).flags(relr)))
      .run("loader-refuses");
}

TEST(LoaderRefuses, NamesPackedRelocationsThatAnOlderMuslIgnores) {
  const auto findings = packed("musllinux_1_2", Libc::Musl);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note) << "every Alpine Linux before 3.18 is past its end of life";
  EXPECT_EQ(
      findings[0].message,
      "is one of 2 files with packed relocations (DT_RELR), which musl before 1.2.4 ignores: the import crashes on "
      "Alpine Linux before 3.18");
}

TEST(LoaderRefuses, IsSilentAboutPackedRelocationsForAnotherLibc) {
  EXPECT_TRUE(packed("musllinux_1_3", Libc::Musl).empty());
  EXPECT_TRUE(packed("manylinux_2_36", Libc::Glibc).empty()) << "it needs no libc.so.6";
}

TEST(LoaderRefuses, IsSilentWhereTheLibraryIsNeeded) {
  EXPECT_TRUE(findings_of(module().needed("libz.so.1").import("inflate", "libz.so.1", "ZLIB_1.2.9")).empty());
  EXPECT_TRUE(findings_of(module().import("sin", "libm.so.6", "GLIBC_2.2.5")).empty()) << "Python has loaded it";
  EXPECT_TRUE(findings_of(module()).empty());
}

}  // namespace
}  // namespace wheelcheck::test::loader_refuses_test
