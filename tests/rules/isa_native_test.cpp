#include "tests/rules/scene.h"

namespace wheelcheck::test::isa_native_test {
namespace {

std::vector<Finding> run(std::vector<std::string_view> marches, const std::string& path = module_so,
                         std::uint32_t variant = 1) {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder(path).edit([=](ElfMember& m) { m.facts.sections.marches = marches; }))
                   .edit([=](WheelFacts& wheel) { wheel.variant_x86_level = variant; }))
      .run("isa-native");
}

TEST(IsaNative, NamesTheFlag) {
  const auto findings = run({"haswell"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(
      findings[0].message,
      "was compiled with -march=haswell and requires an x86-64-v3 processor, but its tag allows only the baseline");
  EXPECT_EQ(run({"native", "skylake-avx512"}).size(), 1U);
}

TEST(IsaNative, IsSilentWhereAPartIsForTheBaseline) {
  EXPECT_TRUE(run({"", "haswell"}).empty()) << "it may choose at run time";
  EXPECT_TRUE(run({"haswell", "x86-64"}).empty());
  EXPECT_TRUE(run({"x86-64"}).empty());
  EXPECT_TRUE(run({}).empty());
  EXPECT_TRUE(run({"armv8-a"}).empty()) << "not known here";
}

TEST(IsaNative, IsSilentForAVariantAndForFilesNamedAfterAProcessor) {
  EXPECT_TRUE(run({"haswell"}, module_so, 3).empty());
  EXPECT_EQ(run({"skylake-avx512"}, module_so, 3).size(), 1U);
  EXPECT_TRUE(run({"haswell"}, "foo/_core_avx2.so").empty());
}

// pyabpoa 1.5.2: WC120 names the flag too.
TEST(IsaNative, IsSilentBesideAnInstructionOfTheImport) {
  const auto scene = [](std::uint32_t level) {
    return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).edit([=](ElfMember& m) {
      m.facts.sections.marches = {"znver2"};
      m.facts.startup = {StartupInstruction{.x86_level = level, .entry = "PyInit_x"}};
    })));
  };
  EXPECT_TRUE(scene(3).run("isa-native").empty());
  EXPECT_EQ(evidence(scene(3).run("isa-at-import").at(0), "compiler flags"), "-march=znver2");
}

// Files with AVX instructions and no test of the processor (elf/vector_code.cpp).
std::vector<Finding> run_code(std::vector<std::string> paths, std::uint32_t level = 3, std::uint32_t variant = 1,
                              bool at_import = false) {
  WheelBuilder wheel(wheel_2_17);
  for (const std::string& path : paths)
    wheel.elf(ElfBuilder(path).edit([=](ElfMember& m) {
      m.facts.vector_code = VectorCode{.x86_level = level, .count = 508, .address = 0x3D60, .function = "PyInit_wrap"};
      if (at_import) m.facts.startup = {StartupInstruction{}};
    }));
  return Scene(std::move(wheel.edit([=](WheelFacts& facts) { facts.variant_x86_level = variant; }))).run("isa-native");
}

TEST(IsaNative, ReportsAvxThatNothingTests) {
  const auto findings = run_code({module_so, "foo/y.cpython-311-x86_64-linux-gnu.so"});
  ASSERT_EQ(findings.size(), 1U) << "one for a wheel";
  check_words(findings[0]);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "contains 508 AVX instructions, but nothing that tests the processor: below x86-64-v3 a call can end the "
            "process with SIGILL (also 1 other file)");
  EXPECT_EQ(evidence(findings[0], "first at"), "0x3d60");
  EXPECT_EQ(evidence(findings[0], "nearest exported function"), "PyInit_wrap");
  const auto part = Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).edit([](ElfMember& m) {
                      m.facts.vector_code = VectorCode{.count = 508, .cut = true};
                    }))).run("isa-native");
  EXPECT_EQ(evidence(part.at(0), "instructions"), "at least 508 of AVX");
  EXPECT_THAT(part[0].message, testing::StartsWith("contains at least 508 AVX instructions, but nothing"));
  EXPECT_THAT(run_code({module_so}, 4).at(0).message, testing::HasSubstr("508 AVX-512 instructions"));
}

TEST(IsaNative, IsSilentOnAvxOfAVariantOrOfANamedFileOrThatTheImportReaches) {
  EXPECT_TRUE(run_code({module_so}, 3, 3).empty());
  EXPECT_TRUE(run_code({"foo/_core_avx2.so"}).empty());
  EXPECT_TRUE(run_code({"foo/libplugin.so"}).empty()) << "no import loads it";
  EXPECT_TRUE(run_code({module_so}, 3, 1, true).empty()) << "WC120";
}

}  // namespace
}  // namespace wheelcheck::test::isa_native_test
