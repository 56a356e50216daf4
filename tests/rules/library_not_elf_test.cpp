#include "tests/rules/scene.h"

namespace wheelcheck::test::library_not_elf_test {
namespace {

std::vector<Finding> run(const std::string& path, ForeignKind kind, std::uint64_t size = 1000,
                         std::vector<std::string_view> needed = {}, const std::string& name = wheel_2_17) {
  return Scene(WheelBuilder(name)
                   .elf(ElfBuilder(module_so).edit([=](ElfMember& m) {
                     for (const std::string_view name : needed) m.facts.dynamic->needed.push_back(name);
                   }))
                   .member(path, size)
                   .edit([=](WheelFacts& wheel) {
                     for (MemberFacts& member : wheel.members)
                       if (member.path.text() == path) member.foreign = kind;
                   }))
      .run("library-not-elf");
}

TEST(LibraryNotElf, IsAnErrorForAModuleAndForARequiredLibrary) {
  const auto findings = run("foo/blocks.so", ForeignKind::MachO);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "is named like a shared library, but is not an ELF file (Mach-O file): loading it fails with \"invalid ELF "
            "header\"");
  EXPECT_EQ(run("foo/x.so", ForeignKind::Zip).size(), 1U);
  EXPECT_EQ(run("foo/x.abi3.so", ForeignKind::TextLibrary).at(0).severity, Severity::Error);
  EXPECT_EQ(run("foo/x.cpython-311-x86_64-linux-gnu.so", ForeignKind::EmptyLibrary, 0).at(0).message,
            "is named like a shared library, but is not an ELF file (empty file named as a library): loading it fails "
            "with \"file too short\"");
  EXPECT_EQ(run("foo/libx.so.1", ForeignKind::TextLibrary, 9, {"libx.so.1"}).at(0).severity, Severity::Error);
}

TEST(LibraryNotElf, IsSilentInAWheelForOtherSystems) {
  const auto with_name = [](const std::string& name) {
    return run("foo/x.abi3.so", ForeignKind::MachO, 1000, {}, name);
  };
  EXPECT_TRUE(with_name("foo-1.0-cp39-abi3-macosx_11_0_arm64.whl").empty());
  EXPECT_EQ(with_name("foo-1.0-cp39-abi3-macosx_11_0_arm64.manylinux_2_17_x86_64.whl").size(), 1U);
  const std::string any = "foo-1.0-py3-none-any.whl";
  EXPECT_TRUE(with_name(any).empty()) << "it has a file for Linux too";
  EXPECT_EQ(Scene(WheelBuilder(any).member("foo/x.so").edit([](WheelFacts& wheel) {
              for (MemberFacts& member : wheel.members)
                if (member.path.text() == "foo/x.so") member.foreign = ForeignKind::MachO;
            }))
                .run("library-not-elf")
                .size(),
            1U);
}

TEST(LibraryNotElf, IsAWarningWhereNothingShowsThatItIsLoaded) {
  EXPECT_EQ(run("foo/libx.so", ForeignKind::LinkerScript).at(0).severity, Severity::Note);
  EXPECT_EQ(run("foo/libx.so", ForeignKind::LinkerScript, 9, {"libx.so"}).at(0).severity, Severity::Error);
  EXPECT_EQ(run("foo/libx.so.1", ForeignKind::TextLibrary).at(0).severity, Severity::Warning);
  EXPECT_EQ(run("foo/x.cpython-311-darwin.so", ForeignKind::MachO).at(0).severity, Severity::Warning);
}

TEST(LibraryNotElf, IsSilentForOtherNamesAndKinds) {
  EXPECT_TRUE(run("foo/libx.dylib", ForeignKind::MachO).empty());
  EXPECT_TRUE(run("foo/x.dll", ForeignKind::WindowsProgram).empty());
  EXPECT_TRUE(run("foo/libx.so.zip", ForeignKind::Zip).empty());
  EXPECT_TRUE(run("foo/x.so.gz", ForeignKind::Gzip).empty());
  EXPECT_TRUE(run("foo/x.so", ForeignKind::None).empty());
}

}  // namespace
}  // namespace wheelcheck::test::library_not_elf_test
