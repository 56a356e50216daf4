#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("runpath-absolute");
}

TEST(RunpathAbsolute, NamesTheDirectory) {
  const auto findings = run(ElfBuilder(module_so).runpath("$ORIGIN").runpath("/usr/local/cuda/lib64"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has /usr/local/cuda/lib64");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].fix, "patchelf --set-rpath '$ORIGIN' " + module_so);
}

TEST(RunpathAbsolute, IsSilentAboutOrigin) {
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN/../foo.libs")).empty());
}

TEST(RunpathAbsolute, SaysWhereOthersCanWriteAndNamesThatFirst) {
  const auto findings =
      run(ElfBuilder(module_so).runpath("/usr/lib64").runpath("/__w/x/lib").runpath("/tmp/build/lib"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has /tmp/build/lib and 2 more, where every user can plant a library");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(RunpathAbsolute, SaysWhatIsOfABuildMachine) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("/home/me/lib")).at(0).message,
            "RUNPATH has /home/me/lib, a directory of the build machine");
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("/homestead/lib")).at(0).message, "RUNPATH has /homestead/lib");
}

}  // namespace
}  // namespace wheelcheck::test
