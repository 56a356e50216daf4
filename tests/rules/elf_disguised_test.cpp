#include "tests/rules/scene.h"

namespace wheelcheck::test::elf_disguised_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("elf-disguised");
}

TEST(ElfDisguised, NamesWhatItIs) {
  const auto findings =
      run(ElfBuilder("foo/data.txt").role(PlainLibrary{}).edit([](ElfMember& m) { m.disguised = true; }));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "is an ELF file (library) with the name of a text file");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(ElfDisguised, IsSilentAboutHonestNames) { EXPECT_TRUE(run(ElfBuilder(module_so)).empty()); }

TEST(ElfDisguised, LooksAtDamagedFilesAndDeviceCodeToo) {
  EXPECT_EQ(run(ElfBuilder("foo/x.py").role(BrokenElf{}).edit([](ElfMember& m) { m.disguised = true; })).size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test::elf_disguised_test
