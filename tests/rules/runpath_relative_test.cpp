#include "tests/rules/scene.h"

namespace wheelcheck::test::runpath_relative_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("runpath-relative");
}

TEST(RunpathRelative, NamesTheElement) {
  const auto findings = run(ElfBuilder(module_so).needed("libfoo.so").runpath("$ORIGIN").runpath("lib"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has lib, which depends on the current directory");
  EXPECT_EQ(findings[0].fix, "patchelf --set-rpath '$ORIGIN' " + module_so);
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(RunpathRelative, IsAWarningWhereNothingIsLookedForAlongThePath) {
  EXPECT_EQ(run(ElfBuilder(module_so).needed("libc.so.6").runpath("lib")).at(0).severity, Severity::Warning);
}

TEST(RunpathRelative, IsSilentAboutOriginAbsoluteAndEmptyElements) {
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN/../foo.libs")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("${ORIGIN}/lib")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN-lib")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("/opt").runpath("")).empty());
}

TEST(RunpathRelative, TakesOtherTokensAndLongerNamesForRelative) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("$LIB/x")).size(), 1U);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("$PLATFORM")).size(), 1U);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("$ORIGINAL/lib")).size(), 1U);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("../lib")).size(), 1U);
}

TEST(RunpathRelative, PassesOverAnRpathThatTheLoaderPassesOver) {
  EXPECT_TRUE(run(ElfBuilder(module_so).rpath("lib").runpath("$ORIGIN")).empty());
  EXPECT_EQ(run(ElfBuilder(module_so).rpath("lib")).size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test::runpath_relative_test
