#include "tests/rules/scene.h"

namespace wheelcheck::test::weak_version_need_test {
namespace {

std::vector<Finding> of(const ElfBuilder& file) {
  return Scene(WheelBuilder(wheel_2_17).elf(file)).run("weak-version-need");
}

TEST(WeakVersionNeed, FiresOnTheFlagOfTheNeed) {
  const auto findings =
      of(ElfBuilder(module_so).need("libc.so.6", "GLIBC_2.34", true).import("f", "libc.so.6", "GLIBC_2.34", true));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires GLIBC_2.34 of libc.so.6 (weak), which manylinux_2_17_x86_64 does not allow");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(evidence(findings[0], "symbols"), "f");
}

TEST(WeakVersionNeed, IsSilentWhereASymbolThatIsNotWeakNeedsTheVersion) {
  EXPECT_TRUE(of(ElfBuilder(module_so)
                     .need("libc.so.6", "GLIBC_2.34", true)
                     .import("f", "libc.so.6", "GLIBC_2.34", true)
                     .import("g", "libc.so.6", "GLIBC_2.34"))
                  .empty());
}

TEST(WeakVersionNeed, IsSilentAboutWeakSymbolsWithoutTheFlag) {
  EXPECT_TRUE(of(ElfBuilder(module_so).import("f", "libc.so.6", "GLIBC_2.34", true)).empty());
}

TEST(WeakVersionNeed, IsSilentAboutWhatIsPromisedAndOtherFamilies) {
  EXPECT_TRUE(of(ElfBuilder(module_so).need("libc.so.6", "GLIBC_2.17", true)).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).need("libz.so.1", "ZLIB_9.9", true)).empty());
  EXPECT_TRUE(of(ElfBuilder(module_so).libc(Libc::Musl).need("libc.so", "GLIBC_2.34", true)).empty());
}

}  // namespace
}  // namespace wheelcheck::test::weak_version_need_test
