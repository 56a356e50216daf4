#include "tests/rules/set_scene.h"

namespace wheelcheck::test::runtime_twice_test {
namespace {

ElfBuilder library(const std::string& name) { return ElfBuilder("foo.libs/" + name).soname(name); }
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("runtime-twice"); }

TEST(RuntimeTwice, IsSilentForOneOfEach) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17)
                      .elf(library("libgomp-6a29c32d.so.1.0.0"))
                      .elf(library("libopenblasp-r0-1a7698bc.3.29.so"))
                      .elf(library("libgfortran-040039e1.so.5.0.0"))
                      .elf(library("libquadmath-96973f99.so.0.0.0")))
                  .empty());
}

TEST(RuntimeTwice, IsAnInformationForTwoCopiesOfOneLibrary) {
  const auto findings = run(WheelBuilder(wheel_2_17)
                                .elf(library("libgfortran-040039e1.so.5.0.0"))
                                .elf(library("libgfortran-8f1e9814.so.5.0.0")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "contains 2 copies of GNU Fortran runtime; each has its own units and buffers");
  EXPECT_EQ(evidence(findings[0], "GNU Fortran runtime"), "foo.libs/libgfortran-040039e1.so.5.0.0");
}

TEST(RuntimeTwice, IsAWarningForDifferentLibrariesOfAKind) {
  const auto findings =
      run(WheelBuilder(wheel_2_17).elf(library("libgomp-6a29c32d.so.1.0.0")).elf(library("libiomp5-1a2b3c4d.so")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(
      findings[0].message,
      "contains 2 OpenMP runtimes (GNU OpenMP runtime, LLVM or Intel OpenMP runtime); each starts its own threads");
}

TEST(RuntimeTwice, IsAnErrorForTwoRuntimesOfTheKmpInterfaceThatAreLoaded) {
  WheelBuilder wheel(wheel_2_17);
  wheel.elf(library("libiomp5-1a2b3c4d.so")).elf(library("libomp-5e6f7a8b.so"));
  auto findings = run(wheel);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning) << "nothing is seen to load both";
  wheel.elf(ElfBuilder(module_so).needed("libiomp5-1a2b3c4d.so").needed("libomp-5e6f7a8b.so"));
  findings = run(wheel);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(RuntimeTwice, TakesFilesOfOneSonameForOne) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17)
                      .elf(ElfBuilder("foo/lib/libgomp.so.1").soname("libgomp.so.1"))
                      .elf(ElfBuilder("foo/lib/libgomp.so.1.0.0").soname("libgomp.so.1")))
                  .empty());
}

TEST(RuntimeTwice, SeesOneThatIsLinkedIntoAnotherFile) {
  const auto findings = run(
      WheelBuilder(wheel_2_17)
          .elf(library("libopenblasp-r0-1a7698bc.3.29.so"))
          .elf(ElfBuilder("foo/libcore.so").says("Intel(R) oneAPI Math Kernel Library Version 2024.2-Product Build")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(RuntimeTwice, IsSilentForTheReferenceBlasWhichHasNoThreads) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17)
                      .elf(library("libopenblasp-r0-39a31c03.2.18.so"))
                      .elf(library("libblas-2d5b9174.so.3.0.3"))
                      .elf(library("liblapack-31d7d384.so.3.8.0")))
                  .empty());
}

TEST(RuntimeTwice, DoesNotTakeAFewSymbolsForARuntime) {
  ElfBuilder few("foo/libcore.so");
  for (char c = 'a'; c < 'k'; ++c) few.exports(std::string("__kmpc_") + c);
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(library("libgomp-6a29c32d.so.1.0.0")).elf(few)).empty());
}

TEST(RuntimeTwice, OfTwoWheelsNamesBothAndTheOrder) {
  SetScene scene;
  scene.conflicts.runtimes.push_back(
      {.family = "openmp",
       .copies = {{SetScene::alpha, {"libgomp", "libgomp", {}}}, {SetScene::beta, {"libomp", "LLVM OpenMP", "5.0"}}},
       .severity = Severity::Warning,
       .load_plans = {0, 1}});
  const auto findings = scene.run("runtime-twice");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "the process has 2 OpenMP runtimes of different distributions: libgomp (version unknown), LLVM OpenMP 5.0");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(findings[0], "LLVM OpenMP 5.0"), "beta/_b.so");
}

}  // namespace
}  // namespace wheelcheck::test::runtime_twice_test
