#include "tests/rules/scene.h"

namespace wheelcheck::test::static_tls_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) { return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("static-tls"); }
ElfBuilder with_relocations(std::string path, std::uint32_t count) {
  return ElfBuilder(std::move(path)).edit([=](ElfMember& m) { m.facts.dynamic->static_tls_relocations = count; });
}

TEST(StaticTls, FiresForRelocationsAndForTheFlag) {
  const auto relocations = run(with_relocations(module_so, 3));
  ASSERT_EQ(relocations.size(), 1U);
  EXPECT_EQ(relocations[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(relocations[0], "required by"), "3 relocations");
  const auto flag = run(ElfBuilder(module_so).flags([](LoaderFlags& flags) { flags.static_tls = true; }));
  ASSERT_EQ(flag.size(), 1U);
  EXPECT_EQ(evidence(flag[0], "required by"), "DF_STATIC_TLS");
}

TEST(StaticTls, IsSilentWithoutBothAndForPrograms) {
  EXPECT_TRUE(run(with_relocations(module_so, 0)).empty());
  EXPECT_TRUE(run(with_relocations("foo-1.0.data/scripts/tool", 3)).empty());
}

TEST(StaticTls, IsANoteForASmallBlock) {
  const auto severity = [](const std::string& path, std::uint64_t size) {
    return run(with_relocations(path, 3).edit([=](ElfMember& m) { m.facts.segments.tls_size = size; })).at(0).severity;
  };
  EXPECT_EQ(severity("foo.libs/libgomp-1.so", 120), Severity::Note);
  EXPECT_EQ(severity("foo.libs/libgomp-1.so", 5000), Severity::Warning);
  EXPECT_EQ(severity("foo/libgo.so", 8), Severity::Note);
  EXPECT_EQ(severity("foo/libown.so", 257), Severity::Warning);
  const auto copied = with_relocations("foo/lib/libgomp.so", 3).soname("libgomp.so.1").edit([](ElfMember& m) {
    m.facts.segments.tls_size = 120;
  });
  EXPECT_EQ(run(copied).at(0).severity, Severity::Note);
  EXPECT_THAT(run(copied).at(0).fix, testing::HasSubstr("import the package"));
}

ElfBuilder with_variables(std::uint64_t size, std::uint64_t align, std::uint32_t own) {
  return ElfBuilder(module_so).edit([=](ElfMember& m) {
    m.facts.dynamic->static_tls_relocations = 2;
    m.facts.dynamic->own_static_tls_relocations = own;
    m.facts.segments.tls_size = size;
    m.facts.segments.tls_align = align;
  });
}

TEST(StaticTls, IsAnErrorWhereThereIsNeverRoom) {
  const auto large = run(with_variables(4096, 8, 1)), aligned = run(with_variables(8, 4096, 1));
  EXPECT_EQ(large.at(0).severity, Severity::Error);
  EXPECT_EQ(
      large.at(0).message,
      "requires 4096 bytes of static thread-local storage, which glibc does not have for a library that is opened "
      "later");
  EXPECT_EQ(aligned.at(0).severity, Severity::Error);
}

// The variables may be those of a library that the file requires.
TEST(StaticTls, CountsVariablesOfRequiredLibraries) {
  const auto severity = [](std::uint64_t size, Libc libc, const std::string& wheel) {
    const auto refers = ElfBuilder(module_so).libc(libc).needed("libtls.so").import("v").edit([](ElfMember& m) {
      m.facts.dynamic->static_tls_relocations = 1;
      m.facts.dynamic->imports.back().kind = SymbolKind::Tls;
      m.facts.dynamic->imports.back().bound = Bound::AtLoad;
    });
    const auto owner =
        ElfBuilder("foo.libs/libtls.so").libc(libc).exports("v", SymbolKind::Tls).edit([=](ElfMember& m) {
          m.facts.segments.tls_size = size;
        });
    return Scene(WheelBuilder(wheel).elf(refers).elf(owner)).run("static-tls").at(0).severity;
  };
  EXPECT_EQ(severity(4096, Libc::Glibc, wheel_2_17), Severity::Error);
  EXPECT_EQ(severity(1024, Libc::Glibc, wheel_2_17), Severity::Warning);
  EXPECT_EQ(severity(64, Libc::Glibc, wheel_2_17), Severity::Note);
  EXPECT_EQ(severity(64, Libc::Musl, "foo-1.0-cp311-cp311-musllinux_1_2_x86_64.whl"), Severity::Error);
}

// rustine 0.2.0, libdescriptor 0.2.3
TEST(StaticTls, KnowsJemallocAndLeavesCopiesOfGlibcToTheirRule) {
  const auto jemalloc = with_relocations(module_so, 2).edit([](ElfMember& m) {
    m.facts.interfaces.jemalloc_page = 4096;
    m.facts.segments.tls_size = 2528;
  });
  EXPECT_THAT(Scene(WheelBuilder(wheel_2_17).elf(jemalloc)).run("static-tls").at(0).fix,
              testing::HasSubstr("--disable-initial-exec-tls"));
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(with_relocations("foo/libm.so.6", 2))).run("static-tls").empty());
}

TEST(StaticTls, IsAWarningForAFileThatNoImportLoads) {
  const auto large = [](const std::string& path) {
    return with_relocations(path, 2).edit([](ElfMember& m) {
      m.facts.dynamic->own_static_tls_relocations = 1;
      m.facts.segments.tls_size = 4096;
    });
  };
  EXPECT_EQ(run(large("foo/libpreload.so")).at(0).severity, Severity::Warning);
  const auto needed =
      Scene(WheelBuilder(wheel_2_17).elf(large("foo/libown.so")).elf(ElfBuilder(module_so).needed("libown.so")))
          .run("static-tls");
  ASSERT_EQ(needed.size(), 1U);
  EXPECT_EQ(needed[0].severity, Severity::Error);
}

TEST(StaticTls, IsSilentAboutRoomForSmallVariablesAndThoseOfOthers) {
  EXPECT_EQ(run(with_variables(1664, 64, 1)).at(0).severity, Severity::Warning);
  EXPECT_EQ(run(with_variables(4096, 8, 0)).at(0).severity, Severity::Warning) << "others place their own";
}

TEST(StaticTls, IsAnErrorForMuslWhateverTheSize) {
  const auto for_libc = [](Libc libc, std::uint32_t own) { return run(with_variables(8, 8, own).libc(libc)).at(0); };
  const Finding own = for_libc(Libc::Musl, 1);
  EXPECT_EQ(own.severity, Severity::Error);
  EXPECT_EQ(evidence(own, "musl"), "initial-exec TLS resolves to dynamic definition");
  EXPECT_EQ(for_libc(Libc::Musl, 0).severity, Severity::Note) << "the program may define the variable";
  EXPECT_EQ(for_libc(Libc::Glibc, 1).severity, Severity::Note) << "glibc has room for 8 bytes";
}

TEST(StaticTls, DoesNotTellTheUserOfAGraftedLibraryToRebuildHisOwn) {
  EXPECT_THAT(run(with_relocations("foo.libs/libgomp-1.so", 3)).at(0).fix, testing::HasSubstr("import the package"));
}

}  // namespace
}  // namespace wheelcheck::test::static_tls_test
