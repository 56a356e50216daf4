#include "tests/rules/scene.h"

namespace wheelcheck::test::string_abi_mixed_test {
namespace {

ElfBuilder speaks(ElfBuilder elf, int old_abi, int new_abi) {
  for (int i = 0; i < old_abi; ++i) elf.exports("_ZN3foo1" + std::string(1, static_cast<char>('a' + i)) + "ERKSs");
  for (int i = 0; i < new_abi; ++i)
    elf.exports("_ZN3foo1" + std::string(1, static_cast<char>('a' + i)) +
                "ERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE");
  return elf;
}
const std::string lib = "foo.libs/libfoo.so.1";

TEST(StringAbiMixed, FiresWhereOneFileHasTenOfEach) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(speaks(ElfBuilder(lib), 10, 12)));
  const auto findings = scene.run("string-abi-mixed");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "exports functions with both std::string types: 10 with the old one, 12 with the new one");
  EXPECT_EQ(findings[0].severity, Severity::Note) << "no call between the two is seen";
  EXPECT_THAT(evidence(findings[0], "old"), testing::HasSubstr("_ZN3foo1aERKSs"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("-D_GLIBCXX_USE_CXX11_ABI"));
}

TEST(StringAbiMixed, IsSilentBelowTheThresholdAndWithOneAbi) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(speaks(ElfBuilder(lib), 20, 9))).run("string-abi-mixed").empty());
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(speaks(ElfBuilder(lib), 20, 0))).run("string-abi-mixed").empty());
}

TEST(StringAbiMixed, LeavesTheRuntimesOwnSymbolsOut) {
  ElfBuilder elf = speaks(ElfBuilder(lib), 0, 20);
  for (char c = 'a'; c < 'a' + 20; ++c)
    elf.exports(std::string("_ZNSs1") + c + "ERKSs", SymbolKind::Function, Binding::Weak);
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(elf)).run("string-abi-mixed").empty());
}

TEST(StringAbiMixed, FiresWhereAFileCallsOneOfTheOtherAbi) {
  const ElfBuilder library = speaks(ElfBuilder(lib).soname("libfoo.so.1"), 15, 0).exports("_ZN3foo4SizeEv");
  const ElfBuilder user = speaks(ElfBuilder(module_so).needed("libfoo.so.1"), 0, 15);
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(library).elf(user)).run("string-abi-mixed").empty())
      << "nothing of C++ is called";
  const Scene scene(WheelBuilder(wheel_2_17).elf(library).elf(ElfBuilder(user).import("_ZN3foo4SizeEv")));
  const auto findings = scene.run("string-abi-mixed");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "has an interface with the new std::string and calls foo.libs/libfoo.so.1, which has the old one");
  EXPECT_EQ(evidence(findings[0], "calls"), "_ZN3foo4SizeEv");
  EXPECT_EQ(findings[0].confidence, Confidence::Medium);
  EXPECT_EQ(scene.path(findings[0]), module_so);
}

}  // namespace
}  // namespace wheelcheck::test::string_abi_mixed_test
