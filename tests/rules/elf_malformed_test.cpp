#include "tests/rules/scene.h"

namespace wheelcheck::test::elf_malformed_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("elf-malformed");
}

TEST(ElfMalformed, IsAnErrorWhereTheLoaderWouldRefuse) {
  const auto findings = run(ElfBuilder(module_so).flaw(ElfArea::Dynamic, true, "DT_NULL was not found"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "malformed dynamic section: DT_NULL was not found");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(ElfMalformed, IsAnErrorWhereOnlyOthersAreMisledToo) {
  const auto findings = run(ElfBuilder(module_so).flaw(ElfArea::Strings, false, "DT_STRSZ is too small"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "odd strings: DT_STRSZ is too small");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(ElfMalformed, IsARemarkWhereOnlyANoteIsOdd) {
  const auto findings = run(ElfBuilder(module_so).flaw(ElfArea::Notes, false, "a note segment is cut"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(ElfMalformed, SaysTheGravestFirstAndTheOthersBesideIt) {
  const auto findings = run(ElfBuilder(module_so)
                                .flaw(ElfArea::Strings, false, "DT_STRSZ is too small")
                                .flaw(ElfArea::Dynamic, true, "DT_NULL was not found"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "malformed dynamic section: DT_NULL was not found");
  EXPECT_EQ(evidence(findings[0], "also"), "odd strings: DT_STRSZ is too small");
}

TEST(ElfMalformed, LeavesNoCommandForTheFile) {
  const ElfBuilder elf = ElfBuilder(module_so).executable_stack(true);
  const auto fix = [](const ElfBuilder& one) {
    return Scene(WheelBuilder(wheel_2_17).elf(one)).run("executable-stack").at(0).fix;
  };
  EXPECT_THAT(fix(elf), testing::HasSubstr("patchelf"));
  EXPECT_EQ(fix(ElfBuilder(elf).flaw(ElfArea::Dynamic, true, "DT_NULL was not found")),
            "build the file again: it is damaged (WC708)");
}

TEST(ElfMalformed, IsSilentAboutASoundFile) { EXPECT_TRUE(run(ElfBuilder(module_so)).empty()); }

TEST(ElfMalformed, AlwaysReportsAFileThatCannotBeRead) {
  EXPECT_EQ(run(ElfBuilder(module_so).role(BrokenElf{})).at(0).message, "malformed header: it cannot be read");
  const auto told = run(ElfBuilder(module_so).role(BrokenElf{}).flaw(ElfArea::Header, false, "the class is 7"));
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].severity, Severity::Error);
}

TEST(ElfMalformed, DoesNotExamineForeignCode) {
  EXPECT_TRUE(
      run(ElfBuilder("foo/x.dbg").role(ForeignCode{"debug information"}).flaw(ElfArea::Dynamic, true, "is empty"))
          .empty());
}

}  // namespace
}  // namespace wheelcheck::test::elf_malformed_test
