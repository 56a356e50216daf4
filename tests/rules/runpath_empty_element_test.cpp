#include "tests/rules/scene.h"

namespace wheelcheck::test::runpath_empty_element_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("runpath-empty-element");
}

TEST(RunpathEmptyElement, FiresWhereverTheElementStands) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("").runpath("$ORIGIN")).size(), 1U);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("$ORIGIN").runpath("")).size(), 1U);
  const auto middle = run(ElfBuilder(module_so).needed("libfoo.so").runpath("$ORIGIN").runpath("").runpath("/opt/x"));
  ASSERT_EQ(middle.size(), 1U);
  EXPECT_EQ(middle[0].message, "RUNPATH has 1 empty element, which means the current directory");
  EXPECT_EQ(evidence(middle[0], "search path"), "$ORIGIN::/opt/x");
  EXPECT_EQ(middle[0].fix, "patchelf --set-rpath '$ORIGIN' " + module_so);
  EXPECT_EQ(middle[0].severity, Severity::Error);
}

TEST(RunpathEmptyElement, IsSilentWithoutOne) {
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so)).empty());
}

TEST(RunpathEmptyElement, LooksAtRpathOnlyWithoutRunpath) {
  const auto rpath = run(ElfBuilder(module_so).rpath("").rpath("$ORIGIN"));
  ASSERT_EQ(rpath.size(), 1U);
  EXPECT_EQ(rpath[0].fix, "patchelf --force-rpath --set-rpath '$ORIGIN' " + module_so);
  EXPECT_TRUE(run(ElfBuilder(module_so).rpath("").rpath("$ORIGIN").runpath("$ORIGIN")).empty());
}

TEST(RunpathEmptyElement, PassesOverAPathOfNoCharacters) {
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).rpath("")).empty());
}

TEST(RunpathEmptyElement, RemovesThePathWhereNothingElseIsInIt) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("").runpath("")).at(0).fix, "patchelf --remove-rpath " + module_so);
}

TEST(RunpathEmptyElement, IsAWarningWhereNothingIsLookedForAlongThePath) {
  const auto severity = [](ElfBuilder elf) { return run(elf.runpath("").runpath("$ORIGIN")).at(0).severity; };
  EXPECT_EQ(severity(ElfBuilder(module_so)), Severity::Warning);
  EXPECT_EQ(severity(ElfBuilder(module_so).needed("libc.so.6").needed("libm.so.6")), Severity::Warning);
  EXPECT_EQ(severity(ElfBuilder(module_so).needed("libc.so.6").needed("libz.so.1")), Severity::Error);
  EXPECT_EQ(severity(ElfBuilder(module_so).import("dlopen")), Severity::Error);
}

TEST(RunpathEmptyElement, IsAWarningForMusl) {
  EXPECT_EQ(run(ElfBuilder(module_so).libc(Libc::Musl).runpath("").runpath("$ORIGIN")).at(0).severity,
            Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test::runpath_empty_element_test
