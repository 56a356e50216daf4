#include "tests/rules/scene.h"

namespace wheelcheck::test::denied_symbol_test {
namespace {

std::vector<Finding> run(SymbolRequirement required, const std::string& newest_unmet) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed(required.library)));
  return scene.requires_at(module_so, std::move(required), newest_unmet).run("denied-symbol");
}

TEST(DeniedSymbol, NamesSymbolAndLibrary) {
  const auto findings = run({"libz.so.1", "crc32_z"}, before_2_28);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires crc32_z of libz.so.1, which not every system of manylinux_2_17_x86_64 exports");
  EXPECT_EQ(evidence(findings[0], "symbols"), "crc32_z");
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("link libz.so.1 statically"));
}

TEST(DeniedSymbol, IsSilentWhereTheTagHasTheSymbol) { EXPECT_TRUE(run({"libz.so.1", "crc32_z"}, nowhere).empty()); }

TEST(DeniedSymbol, IsSilentWhereTheVersionOfTheSymbolIsTooNew) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libc.so.6")));
  scene.requires_at(module_so, SymbolRequirement{"libc.so.6", "gettid"}, before_2_28);
  EXPECT_EQ(scene.run("denied-symbol").size(), 1U);
  scene.requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.30", {"gettid"}}, before_2_28);
  EXPECT_TRUE(scene.run("denied-symbol").empty());
}

TEST(DeniedSymbol, DoesNotAdviseToLinkTheCLibraryStatically) {
  const auto findings = run({"libc.so.6", "__cxa_thread_atexit_impl"}, before_2_28);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("manylinux2014_x86_64 image"));
}

}  // namespace
}  // namespace wheelcheck::test::denied_symbol_test
