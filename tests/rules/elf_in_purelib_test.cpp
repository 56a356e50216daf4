#include "tests/rules/scene.h"

namespace wheelcheck::test::elf_in_purelib_test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("elf-in-purelib"); }
WheelBuilder pure_root(const std::string& name) {
  return WheelBuilder(name).edit([](WheelFacts& wheel) { wheel.wheel->root_is_purelib = true; });
}

TEST(ElfInPurelib, FiresForTheAnyTag) {
  const auto findings =
      run(WheelBuilder("foo-1.0-py3-none-any.whl").elf(ElfBuilder("foo/x.so")).edit([](WheelFacts& wheel) {
        wheel.wheel->root_is_purelib = false;
      }));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is machine code, but the wheel claims the platform any");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(ElfInPurelib, IsANoteWhereThePackageChoosesAFile) {
  const std::string any = "foo-1.0-py3-none-any.whl";
  const auto arm = ElfBuilder("foo/arm.so").edit([](ElfMember& member) { member.facts.arch = Arch::aarch64; });
  EXPECT_EQ(run(WheelBuilder(any).elf(ElfBuilder("foo/x.so")).elf(arm)).at(0).severity, Severity::Note);
  EXPECT_EQ(run(WheelBuilder(any).elf(ElfBuilder("foo/x.so")).elf(ElfBuilder("foo/y.so"))).at(0).severity,
            Severity::Error);
}

TEST(ElfInPurelib, FiresForRootIsPurelib) {
  const auto findings = run(pure_root(wheel_2_17).elf(ElfBuilder(module_so)));
  EXPECT_EQ(findings.at(0).message, "is machine code, but WHEEL says Root-Is-Purelib: true");
  EXPECT_EQ(findings.at(0).severity, Severity::Warning) << "only wheels for the platform get it";
}

// mongodb/kingfisher#371
TEST(ElfInPurelib, MissesTheProgramForLinux) {
  const auto with = [](const char* name, std::vector<std::pair<std::string, ForeignKind>> programs) {
    WheelBuilder wheel(name);
    for (const auto& [path, kind] : programs)
      wheel.member(path).edit([path, kind](WheelFacts& facts) {
        for (MemberFacts& member : facts.members)
          if (member.path.text() == path) member.foreign = kind;
      });
    return run(wheel);
  };
  const std::pair<std::string, ForeignKind> mac{"foo/bin/foo", ForeignKind::MachO};
  const std::pair<std::string, ForeignKind> windows{"foo/bin/foo.exe", ForeignKind::WindowsProgram};
  const auto findings = with("foo-1.0-py3-none-any.whl", {mac, windows});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_TRUE(with("foo-1.0-py3-none-any.whl", {mac}).empty()) << "a tool for macOS";
  EXPECT_TRUE(with("foo-1.0-py3-none-any.whl", {windows}).empty()) << "a launcher";
  EXPECT_TRUE(with("foo-1.0-py3-none-macosx_11_0_arm64.whl", {mac, windows}).empty());
}

TEST(ElfInPurelib, SaysBothInOneFinding) {
  const auto findings = run(WheelBuilder("foo-1.0-py3-none-any.whl").elf(ElfBuilder("foo/x.so")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("any and Root-Is-Purelib"));
}

// playwright 1.65.2: installers take the platform from the file name.
TEST(ElfInPurelib, IsAWarningWhereOnlyWheelSaysAny) {
  const auto findings = run(WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl")
                                .elf(ElfBuilder("foo/x.so"))
                                .edit([](WheelFacts& wheel) {
                                  wheel.wheel->tags = {"py3-none-any"};
                                  wheel.wheel->root_is_purelib = true;
                                }));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "is machine code, but WHEEL says Root-Is-Purelib: true");
}

TEST(ElfInPurelib, CountsTheOtherFilesInOneFinding) {
  const auto findings = run(pure_root(wheel_2_17).elf(ElfBuilder("foo/a.so")).elf(ElfBuilder("foo/b.so")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::EndsWith("(also 1 other file)"));
  EXPECT_EQ(evidence(findings[0], "also"), "foo/b.so");
}

TEST(ElfInPurelib, FiresBelowPurelib) {
  const auto with = [](const char* other) {
    return run(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder("foo-1.0.data/purelib/foo/x.so").edit([](ElfMember& m) { m.in_purelib = true; }))
                   .member(other)
                   .edit([](WheelFacts& wheel) { wheel.wheel->root_is_purelib = false; }))
        .at(0);
  };
  const Finding whole = with("foo-1.0.data/purelib/foo/__init__.py");
  EXPECT_EQ(whole.message, "is machine code below purelib, the directory for files of every machine");
  EXPECT_EQ(whole.severity, Severity::Warning) << "the package is in one directory, and the tag names a platform";
  EXPECT_EQ(with("foo/__init__.py").severity, Severity::Error) << "half of the package is in platlib";
  EXPECT_EQ(with("foo-1.0.data/platlib/foo/__init__.py").severity, Severity::Error);
  EXPECT_EQ(with("food/__init__.py").severity, Severity::Warning);
}

TEST(ElfInPurelib, IsSilentInAPlatformWheel) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).empty());
}

TEST(ElfInPurelib, IsSilentAboutPlatlibBesideAPureRoot) {
  EXPECT_TRUE(run(pure_root(wheel_2_17).elf(ElfBuilder("foo-1.0.data/platlib/foo/x.so"))).empty());
}

TEST(ElfInPurelib, DoesNotCountDeviceCode) {
  EXPECT_TRUE(run(WheelBuilder("foo-1.0-py3-none-any.whl")
                      .elf(ElfBuilder("foo/probe.bpf.o").use(MachineUse::Device).role(ForeignCode{"device code"})))
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::elf_in_purelib_test
