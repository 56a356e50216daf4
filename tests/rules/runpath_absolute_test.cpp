#include "tests/rules/scene.h"

namespace wheelcheck::test::runpath_absolute_test {
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

// gamfit 0.1.274: where containers have libcuda.so.1.
TEST(RunpathAbsolute, IsANoteForTheDriversOfGpus) {
  const auto with = [](const std::string& other) {
    return run(ElfBuilder(module_so).runpath("$ORIGIN").runpath("/usr/local/nvidia/lib64").runpath(other));
  };
  EXPECT_EQ(with("/usr/lib/wsl/lib").at(0).severity, Severity::Note);
  EXPECT_EQ(with("/usr/local/cuda/lib64").at(0).severity, Severity::Warning);
}

TEST(RunpathAbsolute, IsSilentAboutOrigin) {
  EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN/../foo.libs")).empty());
}

TEST(RunpathAbsolute, SaysWhereOthersCanWriteAndNamesThatFirst) {
  const auto findings =
      run(ElfBuilder(module_so).runpath("/usr/lib64").runpath("/__w/x/lib").runpath("/tmp/build/lib"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has /tmp/build/lib, where every user can plant a library");
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

// DkamSDK 1.4.87: the libraries are beside the file, and the directory of the SDK is the last element.
TEST(RunpathAbsolute, IsANoteAfterADirectoryOfTheWheelThatIsUsed) {
  const auto severity = [](const std::string& element, const std::string& library) {
    const ElfBuilder elf = ElfBuilder(module_so).runpath("$ORIGIN").runpath(element).needed(library);
    Scene scene(WheelBuilder(wheel_2_17).elf(elf).elf(ElfBuilder("foo/libown.so")));
    if (library == "libown.so") scene.needed(module_so, library).element = "$ORIGIN";
    return scene.run("runpath-absolute").at(0).severity;
  };
  EXPECT_EQ(severity("/opt/GenICam_v3_1/bin", "libown.so"), Severity::Note);
  EXPECT_EQ(severity("/opt/GenICam_v3_1/bin", "libstdc++.so.6"), Severity::Warning);
  EXPECT_EQ(severity("/home/me/lib", "libown.so"), Severity::Warning);
  EXPECT_EQ(severity("/tmp/lib", "libown.so"), Severity::Warning);
}

// robotpy_commands_v2 2023.4.3.0
TEST(RunpathAbsolute, IsANoteForAToolCacheOfBuildMachines) {
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("/opt/hostedtoolcache/Python/3.11.2/x64/lib")).at(0).severity,
            Severity::Note);
  EXPECT_EQ(run(ElfBuilder(module_so).runpath("/opt/openrobots/lib")).at(0).severity, Severity::Warning);
}

// cntk 2.5 finds its libmpi in /usr/local/mpi/lib.
TEST(RunpathAbsolute, IsKeptWhereALibraryIsFoundNowhereElse) {
  const auto with = [](const std::string& element) {
    const ElfBuilder elf = ElfBuilder(module_so).rpath("$ORIGIN").rpath(element).needed("libmpi.so.12");
    Scene scene(WheelBuilder(wheel_2_17).elf(elf));
    scene.requires_at(module_so, LibraryRequirement{"libmpi.so.12"}, everywhere);
    return scene.run("runpath-absolute").at(0);
  };
  const Finding kept = with("/usr/local/mpi/lib");
  EXPECT_EQ(kept.severity, Severity::Note);
  EXPECT_EQ(kept.message, "RPATH has /usr/local/mpi/lib, which may lead to libmpi.so.12");
  EXPECT_THAT(kept.fix, testing::Not(testing::HasSubstr("patchelf")));
  EXPECT_EQ(with("/home/me/lib").fix, "patchelf --force-rpath --set-rpath '$ORIGIN' " + module_so);
}

}  // namespace
}  // namespace wheelcheck::test::runpath_absolute_test
