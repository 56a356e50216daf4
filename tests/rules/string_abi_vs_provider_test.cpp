#include "tests/rules/scene.h"

namespace wheelcheck::test::string_abi_vs_provider_test {
namespace {

const std::string targets = "_ZN3bar5checkEPKcRKSs";
const std::string offered = "_ZN3bar5checkEPKcRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE";

// foo/x.so needs libbar.so of the wheel `bar`, which Python loads first: no search path leads to it.
Scene beside(const std::string& exported, const std::string& imported = targets, bool weak = false) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libbar.so").import(imported, weak)));
  scene.providers.push_back(WheelBuilder("bar-2.6-cp311-cp311-manylinux_2_28_x86_64.whl")
                                .elf(ElfBuilder("bar/lib/libbar.so").soname("libbar.so").exports(exported))
                                .build());
  scene.needed(module_so, "libbar.so").unreached = ElfRef{WheelIndex{1}, ElfIndex{0}};
  return scene;
}

TEST(StringAbiVsProvider, FiresWhereTheOtherSpellingAloneIsThere) {
  const Scene scene = beside(offered);
  const auto findings = scene.run("string-abi-vs-provider");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "requires 1 function with the old std::string type, but bar has it only with the new one");
  EXPECT_EQ(evidence(findings[0], "undefined symbols"), targets);
  EXPECT_EQ(evidence(findings[0], "in its place"), offered);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("-D_GLIBCXX_USE_CXX11_ABI=1"));
}

TEST(StringAbiVsProvider, WorksTheOtherWayRound) {
  EXPECT_EQ(beside(targets, offered).run("string-abi-vs-provider").size(), 1U);
}

TEST(StringAbiVsProvider, IsSilentWhereTheSymbolIsThere) {
  EXPECT_TRUE(beside(targets).run("string-abi-vs-provider").empty());
}

TEST(StringAbiVsProvider, IsSilentWhereAnotherFunctionDiffers) {
  EXPECT_TRUE(beside("_ZN3bar4other3runERKNSt7__cxx1112basic_stringIcEE").run("string-abi-vs-provider").empty());
  EXPECT_TRUE(beside(offered, targets, true).run("string-abi-vs-provider").empty()) << "a weak symbol may stay open";
  Scene alone = beside(offered);
  alone.providers.clear();
  EXPECT_TRUE(alone.run("string-abi-vs-provider").empty()) << "nothing is known without the provider";
}

}  // namespace
}  // namespace wheelcheck::test::string_abi_vs_provider_test
