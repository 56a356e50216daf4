#include "tests/rules/scene.h"

namespace wheelcheck::test {
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

}  // namespace
}  // namespace wheelcheck::test
