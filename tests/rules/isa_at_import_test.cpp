#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(std::uint32_t level, const std::string& path = module_so, std::uint32_t variant = 1,
                         std::vector<std::string_view> marches = {}) {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder(path).edit([=](ElfMember& m) {
                     m.facts.startup = StartupInstruction{.x86_level = level, .address = 0x1234, .entry = "PyInit_x"};
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
      "its import reaches AVX or BMI instructions without a test of the processor: below x86-64-v3 the process can end "
      "with SIGILL");
  EXPECT_EQ(evidence(findings[0], "instruction at"), "0x1234");
  EXPECT_EQ(evidence(findings[0], "reached from"), "PyInit_x");
  EXPECT_THAT(run(4).at(0).message, testing::HasSubstr("AVX-512"));
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

TEST(IsaAtImport, IsOneFindingForAWheel) {
  WheelBuilder wheel(wheel_2_17);
  for (const std::string name : {"a", "b", "c"})
    wheel.elf(ElfBuilder("foo/" + name + ".cpython-311-x86_64-linux-gnu.so").edit([=](ElfMember& m) {
      m.facts.startup = StartupInstruction{.x86_level = name == "b" ? 4U : 3U, .address = 0x1234, .entry = "PyInit_x"};
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
                   .elf(ElfBuilder(path).edit([](ElfMember& m) {
                     m.facts.startup = StartupInstruction{.x86_level = 3, .address = 0x1234, .entry = "PyInit_x"};
                   })))
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
}  // namespace wheelcheck::test
