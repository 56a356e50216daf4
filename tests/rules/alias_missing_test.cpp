#include "tests/rules/scene.h"

namespace wheelcheck::test::alias_missing_test {
namespace {

std::vector<Finding> of(const std::string& tags, const std::string& requires_python = "") {
  return Scene(WheelBuilder("foo-1.0-" + tags + ".whl").elf(ElfBuilder(module_so)).edit([&](WheelFacts& wheel) {
           wheel.metadata->requires_python = requires_python;
         }))
      .run("alias-missing");
}

TEST(AliasMissing, FiresForAnInterpreterWithAnOldPip) {
  const auto findings = of("cp36-cp36m-manylinux_2_5_x86_64");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(
      findings[0].message,
      "lacks the older name manylinux1_x86_64: pip before 20.3, which came with CPython up to 3.9, knows no other "
      "name of this level");
  EXPECT_EQ(findings[0].fix,
            "wheel tags --remove --platform-tag manylinux_2_5_x86_64.manylinux1_x86_64 "
            "foo-1.0-cp36-cp36m-manylinux_2_5_x86_64.whl");
  EXPECT_THAT(of("cp38-abi3-manylinux_2_17_aarch64").at(0).message, testing::HasSubstr("manylinux2014_aarch64"));
  EXPECT_THAT(of("cp37-cp37m-manylinux_2_12_i686").at(0).message, testing::HasSubstr("manylinux2010_i686"));
}

TEST(AliasMissing, FollowsRequiresPythonWhereTheTagIsForManyPythons) {
  EXPECT_EQ(of("py3-none-manylinux_2_17_x86_64", ">=3.7").size(), 1U);
  EXPECT_EQ(of("py3-none-manylinux_2_17_x86_64").size(), 1U);
  EXPECT_EQ(of("cp37-abi3-manylinux_2_17_x86_64", ">=3.9").size(), 1U);
  EXPECT_TRUE(of("py3-none-manylinux_2_17_x86_64", ">=3.10").empty());
  EXPECT_TRUE(of("py3-none-manylinux_2_17_x86_64", ">=3.9.3").empty());
  EXPECT_TRUE(of("cp37-abi3-manylinux_2_17_x86_64", ">=3.10").empty());
  EXPECT_TRUE(of("cp37-cp37m-manylinux_2_17_x86_64", ">=3.8").empty());
  EXPECT_TRUE(of("pp310-pypy310_pp73-manylinux_2_17_x86_64").empty());
}

TEST(AliasMissing, IsSilentWhereTheNameIsThereOrPipIsNew) {
  for (const char* tags :
       {"cp36-cp36m-manylinux_2_5_x86_64.manylinux1_x86_64", "cp310-abi3-manylinux_2_17_x86_64",
        "cp38-cp38-manylinux_2_28_x86_64", "cp38-cp38-manylinux1_x86_64", "cp39-cp39-musllinux_1_1_x86_64",
        "py3-none-any", "cp38-cp38-manylinux_2_17_riscv64", "cp39-cp39-linux_x86_64"})
    EXPECT_TRUE(of(tags).empty()) << tags;
}

}  // namespace
}  // namespace wheelcheck::test::alias_missing_test
