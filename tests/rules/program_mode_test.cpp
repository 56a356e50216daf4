#include "tests/rules/scene.h"

namespace wheelcheck::test::program_mode_test {
namespace {

std::vector<Finding> run(const std::string& path, std::uint32_t mode, std::uint64_t archive_size = 1000) {
  return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(path)).edit([=](WheelFacts& wheel) {
           wheel.size = archive_size;
           for (MemberFacts& member : wheel.members)
             if (member.path.text() == path) member.unix_mode = mode;
         }))
      .run("program-mode");
}

TEST(ProgramMode, FiresForAProgramThatPipInstallsWithoutTheBit) {
  const auto findings = run("foo/bin/tool", 0100644);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "is a program that pip installs without the executable bit (recorded mode: 100644)");
  EXPECT_EQ(run("foo/bin/tool", 0).size(), 1U);
  EXPECT_EQ(run("foo/bin/tool", 0755).size(), 1U) << "pip wants the type of the file too";
  EXPECT_EQ(run("foo/x.data/scripts/tool", 0100644).size(), 1U) << "not the wheel's .data";
}

TEST(ProgramMode, IsSilentWhereTheProgramCanBeStarted) {
  EXPECT_TRUE(run("foo/bin/tool", 0100755).empty());
  EXPECT_TRUE(run("foo/bin/tool", 0100744).empty());
  EXPECT_TRUE(run("foo-1.0.data/scripts/tool", 0100755).empty());
}

// llama_bsl 0.3: pip sets no bit below .data/scripts, uv does.
TEST(ProgramMode, FiresForScripts) {
  const auto script = [](const std::string& path, std::uint32_t mode, std::uint64_t size = 10) {
    return Scene(WheelBuilder("foo-1.0-py3-none-any.whl").member(path).edit([=](WheelFacts& wheel) {
             wheel.size = 1000;
             for (MemberFacts& member : wheel.members) {
               member.unix_mode = mode;
               member.size = size;
             }
           }))
        .run("program-mode");
  };
  const auto findings = script("foo-1.0.data/scripts/tool.py", 0100666);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(std::get<AtPath>(findings[0].place).path, "foo-1.0.data/scripts/tool.py");
  EXPECT_EQ(script("foo-1.0.data/scripts/tool", 0).size(), 1U);
  EXPECT_EQ(run("foo-1.0.data/scripts/tool", 0100644).size(), 1U) << "once for an ELF program";
  EXPECT_TRUE(script("foo-1.0.data/scripts/tool", 0100755).empty());
  EXPECT_TRUE(script("foo-1.0.data/scripts/tool.bat", 0100644).empty());
  EXPECT_TRUE(script("foo-1.0.data/scripts/share/doc", 0100644).empty());
  EXPECT_TRUE(script("foo-1.0.data/scripts/.gitkeep", 0100644).empty()) << "unilyte 0.1.0a0";
  EXPECT_TRUE(script("foo-1.0.data/scripts/tool", 0100644, 0).empty());
}

TEST(ProgramMode, IsSilentForProgramsOfAnotherMachine) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17)
                        .elf(ElfBuilder("foo/firmware.elf").role(Program{}).arch(Arch::armv7l))
                        .edit([](WheelFacts& wheel) { wheel.size = 1000; }))
                  .run("program-mode")
                  .empty());
}

TEST(ProgramMode, IsSilentForLibrariesAndDirectories) {
  EXPECT_TRUE(run(module_so, 0100644).empty());
  EXPECT_TRUE(run("foo.libs/libbar-1a2b3c4d.so.1", 0100644).empty());
  EXPECT_TRUE(run("foo/bin/tool", 0100644, 0).empty());
}

}  // namespace
}  // namespace wheelcheck::test::program_mode_test
