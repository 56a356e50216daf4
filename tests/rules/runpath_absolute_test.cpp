#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(elf).needed("libstdc++.so.6"))).run("runpath-absolute");
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

TEST(RunpathAbsolute, IsANoteWhereTheLoaderNeverSearches) {
  ElfBuilder elf = ElfBuilder(module_so).runpath("/usr/local/lib").needed("libc.so.6").needed("libm.so.6");
  const auto severity = [](const ElfBuilder& file) {
    return Scene(WheelBuilder(wheel_2_17).elf(file)).run("runpath-absolute").at(0).severity;
  };
  EXPECT_EQ(severity(elf), Severity::Note);
  EXPECT_EQ(severity(elf.import("dlopen")), Severity::Warning);
}

TEST(RunpathAbsolute, IsANoteBesideAnErrorOfTheSamePath) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("../lib").runpath("/usr/lib")).at(0).severity, Severity::Note);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("").runpath("/usr/lib")).at(0).severity, Severity::Note);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("../lib").runpath("/tmp/x")).at(0).severity, Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test
