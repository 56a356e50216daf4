#include "tests/rules/scene.h"

namespace wheelcheck::test::duplicate_files_test {
namespace {

// Three names of one library, each with that many bytes in the archive.
std::vector<Finding> findings(std::uint64_t packed, std::uint32_t crc_of_last = 7) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/libq.so"))
                  .elf(ElfBuilder("foo/libq.so.1"))
                  .elf(ElfBuilder("foo/libq.so.1.2")));
  for (const ElfMember& elf : scene.wheel.elfs) {
    MemberFacts& member = scene.wheel.members[elf.member.value];
    member.size = 4'000'000;
    member.packed_size = packed;
    member.crc32 = member.path.name() == "libq.so.1.2" ? crc_of_last : 7;
  }
  scene.wheel.size = 9'000'000;
  return scene.run("duplicate-files");
}

TEST(DuplicateFiles, CountsTheBytesOfTheCopies) {
  const auto found = findings(1'500'000);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "2 duplicate files take 3.0 MB of 9.0 MB");
  EXPECT_EQ(evidence(found[0], "same content"), "foo/libq.so, foo/libq.so.1, foo/libq.so.1.2");
  EXPECT_EQ(findings(1'500'000, 8).at(0).message, "1 duplicate file takes 1.5 MB of 9.0 MB");
}

// quickfix_tls 1.16.0.1: the soname of the module is _quickfix.so.16, and Python imports _quickfix.so.
TEST(DuplicateFiles, KeepsTheNameThatIsImportedOrNeeded) {
  const auto fix = [](const ElfBuilder& user) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(user)
                    .elf(ElfBuilder("_q.so").soname("_q.so.16").exports("PyInit__q").names_library("_q.so.16"))
                    .elf(ElfBuilder("_q.so.16").soname("_q.so.16").exports("PyInit__q")));
    for (const ElfMember& elf : scene.wheel.elfs) {
      MemberFacts& member = scene.wheel.members[elf.member.value];
      member.size = 4'000'000 + (member.path.text().starts_with("_q") ? 1 : 0);
      member.packed_size = 1'500'000;
    }
    return scene.run("duplicate-files").at(0).fix;
  };
  EXPECT_EQ(
      fix(ElfBuilder("foo/other.so")),
      "pack one file of each, under the name by which it is imported, needed or opened (_q.so), and leave out the "
      "names that are symbolic links on the build machine");
  EXPECT_THAT(fix(ElfBuilder("foo/other.so").needed("_q.so.16")), testing::HasSubstr("needed or opened, and"))
      << "each is used";
  EXPECT_THAT(findings(1'500'000).at(0).fix, testing::HasSubstr("needed or opened, and"));
}

TEST(DuplicateFiles, IsSilentOnSmallOnes) { EXPECT_TRUE(findings(100'000).empty()); }

TEST(DuplicateFiles, CountsThePartOfTheWheel) {
  EXPECT_EQ(findings(300'000).at(0).message, "2 duplicate files take 600.0 kB of 9.0 MB");
}

// passagemath_gap_pkg_caratinterface 10.10.1: a program that behaves by the name that it is started with.
TEST(DuplicateFiles, IsSilentOnProgramsWithSeveralNames) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/bin/a").role(Program{}).kind(ElfKind::Executable))
                  .elf(ElfBuilder("foo/bin/b").role(Program{}).kind(ElfKind::Executable)));
  for (const ElfMember& elf : scene.wheel.elfs) {
    MemberFacts& member = scene.wheel.members[elf.member.value];
    member.size = 4'000'000;
    member.packed_size = 1'500'000;
    member.crc32 = 7;
  }
  EXPECT_TRUE(scene.run("duplicate-files").empty());
}

// auditwheel copies a library of the package to foo.libs, with another soname and search path.
TEST(DuplicateFiles, KnowsTheSameCodeByItsBuildId) {
  const auto found = [](const std::string& one, const std::string& other) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder("foo/libq.so.1").edit([&](ElfMember& file) { file.facts.build_id = one; }))
                    .elf(ElfBuilder("foo.libs/libq-01234567.so.1").edit([&](ElfMember& file) {
                      file.facts.build_id = other;
                    })));
    for (const ElfMember& elf : scene.wheel.elfs) {
      MemberFacts& member = scene.wheel.members[elf.member.value];
      member.size = 4'000'000 + elf.member.value;
      member.packed_size = 1'200'000 + elf.member.value;
    }
    scene.wheel.size = 9'000'000;
    return scene.run("duplicate-files");
  };
  ASSERT_EQ(found("0123", "0123").size(), 1U);
  EXPECT_EQ(found("0123", "0123")[0].message, "1 duplicate file takes 1.2 MB of 9.0 MB");
  EXPECT_EQ(evidence(found("0123", "0123")[0], "same code"), "foo.libs/libq-01234567.so.1, foo/libq.so.1");
  EXPECT_THAT(found("0123", "0123")[0].fix, testing::HasSubstr("before the repair"));
  EXPECT_TRUE(found("0123", "4567").empty());
}

// lightsim2grid 1.2.0: the build installs its module beside the package and in it, with different search paths.
TEST(DuplicateFiles, NamesTheCopyInThePackage) {
  const auto fix = [](const char* second) {
    const auto same = [](ElfMember& file) { file.facts.build_id = "0123"; };
    Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo_cpp.so").edit(same)).elf(ElfBuilder(second).edit(same)));
    for (const ElfMember& elf : scene.wheel.elfs) {
      scene.wheel.members[elf.member.value].size = 4'000'000 + elf.member.value;
      scene.wheel.members[elf.member.value].packed_size = 1'200'000;
    }
    return scene.run("duplicate-files").at(0).fix;
  };
  EXPECT_EQ(fix("foo/foo_cpp.so"), "install it once, as foo/foo_cpp.so: the build installs it in several places");
  EXPECT_EQ(fix("lib/foo_cpp.so"), "install it once: the build installs it in several places");
}

// jinwo-vecdb 0.1.33: Python code opens the file that the repair tool copied.
TEST(DuplicateFiles, KeepsTheCopyThatIsOpened) {
  const auto fix = [](bool opened) {
    const auto same = [](ElfMember& file) { file.facts.build_id = "0123"; };
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder("foo/libx.so").edit(same))
                    .elf(ElfBuilder("foo.libs/libx-6b56f8e7.so").edit(same)));
    for (const ElfMember& elf : scene.wheel.elfs) {
      scene.wheel.members[elf.member.value].size = 4'000'000 + elf.member.value;
      scene.wheel.members[elf.member.value].packed_size = 1'200'000;
    }
    if (opened)
      scene.wheel.python.push_back(
          {.member = MemberIndex{0}, .calls = {PythonCall{.library = "*"}}, .names = {{.text = "libx.so"}}});
    return scene.run("duplicate-files").at(0).fix;
  };
  EXPECT_THAT(fix(false), testing::StartsWith("leave the library out of the package, or let the repair tool find"));
  EXPECT_THAT(fix(true), testing::StartsWith("let the repair tool find the library in the package"));
}

// Without a build ID: many symbols with the same names and sizes.
TEST(DuplicateFiles, KnowsTheSameCodeByItsSymbols) {
  const auto found = [](unsigned symbols, std::uint64_t other_size) {
    const auto with = [&](ElfMember& file, std::uint64_t size) {
      for (unsigned i = 0; i < symbols; ++i) {
        Export symbol{.name = "f"};
        symbol.size = i == 0 ? size : 16;
        file.facts.dynamic->exports.push_back(symbol);
      }
    };
    Scene scene(
        WheelBuilder(wheel_2_17)
            .elf(ElfBuilder("foo/libq.so.1").edit([&](ElfMember& file) { with(file, 8); }))
            .elf(ElfBuilder("foo.libs/libq-01234567.so.1").edit([&](ElfMember& file) { with(file, other_size); })));
    for (const ElfMember& elf : scene.wheel.elfs) {
      MemberFacts& member = scene.wheel.members[elf.member.value];
      member.size = 4'000'000 + elf.member.value;
      member.packed_size = 1'200'000;
    }
    scene.wheel.size = 9'000'000;
    return scene.run("duplicate-files").size();
  };
  EXPECT_EQ(found(20, 8), 1U);
  EXPECT_EQ(found(20, 9), 0U);
  EXPECT_EQ(found(19, 8), 0U);
}

}  // namespace
}  // namespace wheelcheck::test::duplicate_files_test
