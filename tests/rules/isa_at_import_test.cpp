#include "tests/rules/scene.h"

namespace wheelcheck::test::isa_at_import_test {
namespace {

StartupInstruction avx(std::uint32_t level) {
  return {.x86_level = level,
          .address = 0x1234,
          .entry = "PyInit_x",
          .function = "PyInit_x",
          .instruction = "vaddps",
          .feature = level == 4 ? "AVX-512" : "AVX"};
}

std::vector<Finding> run(std::uint32_t level, const std::string& path = module_so, std::uint32_t variant = 1,
                         std::vector<std::string_view> marches = {}) {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder(path).edit([=](ElfMember& m) {
                     m.facts.startup = {avx(level)};
                     m.facts.sections.marches = marches;
                   }))
                   .edit([=](WheelFacts& wheel) { wheel.variant_x86_level = variant; }))
      .run("isa-at-import");
}

TEST(IsaAtImport, NamesTheInstructionAndTheWay) {
  const auto findings = run(3);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(
      findings[0].message,
      "its import reaches vaddps (AVX, of x86-64-v3) without a test of the processor: without it (Intel before Sandy "
      "Bridge, AMD before Bulldozer, QEMU's default CPU) the process can end with SIGILL");
  EXPECT_EQ(evidence(findings[0], "instruction"), "vaddps at 0x1234");
  EXPECT_EQ(evidence(findings[0], "in function"), "PyInit_x");
  EXPECT_EQ(evidence(findings[0], "reached from"), "PyInit_x");
  EXPECT_THAT(run(4).at(0).message, testing::HasSubstr("AVX-512"));
}

TEST(IsaAtImport, IsAnErrorWhereItCertainlyRuns) {
  const auto run_facts = [](StartupInstruction one, const char* tag, Arch arch) {
    return Scene(WheelBuilder(std::string("foo-1.0-cp311-cp311-") + tag + ".whl")
                     .elf(ElfBuilder("foo/core.so").edit([=](ElfMember& m) {
                       m.facts.arch = arch;
                       m.facts.startup = {one};
                     })))
        .run("isa-at-import");
  };
  StartupInstruction certain = avx(3);
  certain.certain = true;
  const auto findings = run_facts(certain, "manylinux_2_17_x86_64", Arch::x86_64);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "its import executes vaddps (AVX, of x86-64-v3): without it (Intel before Sandy Bridge, AMD before "
            "Bulldozer, QEMU's default CPU) the process ends with SIGILL");
  StartupInstruction unnamed = certain;
  unnamed.instruction = "";
  unnamed.x86_level = 2;
  unnamed.feature = "SSE4.1";
  const Finding warning = run_facts(unnamed, "manylinux_2_17_x86_64", Arch::x86_64).at(0);
  EXPECT_EQ(warning.severity, Severity::Warning);
  EXPECT_THAT(warning.message, testing::StartsWith("its import executes SSE4.1 instructions (of x86-64-v2): without"));
  StartupInstruction old = certain;
  old.x86_level = 2;
  old.feature = "SSE3";
  EXPECT_EQ(run_facts(old, "manylinux_2_17_x86_64", Arch::x86_64).at(0).severity, Severity::Note);
  EXPECT_TRUE(run_facts(certain, "linux_x86_64_v3", Arch::x86_64).empty()) << "the tag promises it";
  const StartupInstruction lse{.x86_level = 0, .entry = "DT_INIT_ARRAY", .instruction = "ldaddal", .feature = "LSE"};
  const auto arm = run_facts(lse, "manylinux_2_17_aarch64", Arch::aarch64);
  ASSERT_EQ(arm.size(), 1U);
  EXPECT_EQ(arm[0].message,
            "its import reaches ldaddal (LSE) without a test of the processor: without it (Cortex-A53, A57 and A72: "
            "Raspberry Pi 3 and 4, AWS Graviton 1) the process can end with SIGILL");
}

TEST(IsaAtImport, SaysThatTheCodeWasNotRead) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).edit([](ElfMember& m) {
                          m.facts.startup_cut = true;
                        }))).run("isa-at-import");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(IsaAtImport, NamesTheFlagOfTheCompiler) {
  const Finding finding = run(3, module_so, 1, {"haswell"}).at(0);
  EXPECT_EQ(evidence(finding, "compiler flags"), "-march=haswell");
  EXPECT_THAT(finding.fix, testing::HasSubstr("without -march=haswell"));
}

TEST(IsaAtImport, DoesNotBlameTheFlagOfTheBaseline) {
  const Finding finding = run(3, module_so, 1, {"x86-64"}).at(0);
  EXPECT_EQ(evidence(finding, "compiler flags"), "");
  EXPECT_THAT(finding.fix, testing::StartsWith("compile without -march=native"));
}

// dingosdk of AlmaLinux 9: no flag asks for x86-64-v2.
TEST(IsaAtImport, KnowsTheCompilerThatNeedsNoFlag) {
  const auto fix = [](const std::string& tag, std::uint32_t level) {
    return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + ".whl").elf(ElfBuilder(module_so).edit([=](ElfMember& m) {
             m.facts.startup = {avx(level)};
           })))
        .run("isa-at-import")
        .at(0)
        .fix;
  };
  EXPECT_THAT(fix("manylinux_2_34_x86_64", 2), testing::StartsWith("compile with -march=x86-64, which"));
  EXPECT_THAT(fix("manylinux_2_28_x86_64", 2), testing::StartsWith("compile without"));
  EXPECT_THAT(fix("manylinux_2_34_x86_64", 3), testing::StartsWith("compile without"));
}

TEST(IsaAtImport, IsOneFindingForAWheel) {
  WheelBuilder wheel(wheel_2_17);
  for (const std::string name : {"a", "b", "c"})
    wheel.elf(ElfBuilder("foo/" + name + ".cpython-311-x86_64-linux-gnu.so").edit([=](ElfMember& m) {
      m.facts.startup = {avx(name == "b" ? 4U : 3U)};
    }));
  const auto findings = Scene(std::move(wheel)).run("isa-at-import");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("AVX-512"));
  EXPECT_THAT(findings[0].message, testing::EndsWith("(also 2 other files)"));
}

TEST(IsaAtImport, IsSilentWithoutSuchAnInstruction) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so))).run("isa-at-import").empty());
}

TEST(IsaAtImport, IsSilentForAVariantAndForFilesNamedAfterAProcessor) {
  EXPECT_TRUE(run(3, module_so, 3).empty());
  EXPECT_EQ(run(4, module_so, 3).size(), 1U);
  EXPECT_TRUE(run(3, "foo/_core_avx2.cpython-311-x86_64-linux-gnu.so").empty());
  EXPECT_TRUE(run(3, "foo/libplugin.so").empty()) << "no import loads it";
}

std::vector<Finding> run_beside(const std::function<void(ElfMember&)>& edit_module, const std::string& path) {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder(module_so).edit(edit_module))
                   .elf(ElfBuilder(path).edit([](ElfMember& m) { m.facts.startup = {avx(3)}; })))
      .run("isa-at-import");
}

// pyopal 0.6.0: `cimport` of three modules, of which Python code would have chosen one.
TEST(IsaAtImport, ReportsAFileNamedAfterAProcessorThatCythonImports) {
  const std::string path = "foo/platform/avx2.cpython-311-x86_64-linux-gnu.so";
  const auto importing = [](const InterfaceFacts& facts) { return [=](ElfMember& m) { m.facts.interfaces = facts; }; };
  EXPECT_EQ(run_beside(importing({.cython_modules = {"foo.platform.avx2"}}), path).size(), 1U);
  EXPECT_EQ(run_beside(importing({.imported_types = {{"foo.platform.avx2.Aligner", 48}}}), path).size(), 1U);
  EXPECT_TRUE(run_beside(importing({.cython_modules = {"foo.platform.sse2"}}), path).empty());
}

TEST(IsaAtImport, ReportsALibraryNamedAfterAProcessorThatAModuleNeeds) {
  const auto needing = [](std::string name) { return [=](ElfMember& m) { m.facts.dynamic->needed.push_back(name); }; };
  EXPECT_EQ(run_beside(needing("libfoo_avx2.so"), "foo/libfoo_avx2.so").size(), 1U);
  EXPECT_TRUE(run_beside(needing("libfoo.so"), "foo/libfoo_avx2.so").empty());
}

}  // namespace
}  // namespace wheelcheck::test::isa_at_import_test
