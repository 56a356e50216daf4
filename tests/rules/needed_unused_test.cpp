#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("needed-unused"); }
ElfBuilder bundled() { return ElfBuilder("foo.libs/libz-1.so").soname("libz-1.so").exports("deflate"); }

TEST(NeededUnused, FiresForALibraryOfTheWheelWhoseSymbolsNobodyImports) {
  const auto findings =
      run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libz-1.so").import("inflate")).elf(bundled()));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "needs libz-1.so but uses no symbol of it");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("patchelf --remove-needed libz-1.so " + module_so));
}

TEST(NeededUnused, IsSilentWhereASymbolBinds) {
  EXPECT_TRUE(
      run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libz-1.so").import("deflate")).elf(bundled()))
          .empty());
}

TEST(NeededUnused, TellsTheOneUserWithoutASymbolFromManyWithOne) {
  WheelBuilder wheel(wheel_2_17);
  ElfBuilder library = ElfBuilder("foo.libs/libz-1.so").soname("libz-1.so").exports("deflate");
  for (int i = 0; i < 300; ++i) library.exports("z_" + std::to_string(i));
  ElfBuilder idle = ElfBuilder("foo/idle.so").needed("libz-1.so"), busy = ElfBuilder("foo/busy.so").needed("libz-1.so");
  for (int i = 0; i < 300; ++i) {
    idle.import("other_" + std::to_string(i));
    busy.import("other_" + std::to_string(i));
  }
  busy.import("z_299");
  const auto findings = run(wheel.elf(idle).elf(busy).elf(library));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("foo/idle.so"));
}

TEST(NeededUnused, KnowsThatEverySymbolOfGlibcHasAVersion) {
  const ElfBuilder module = ElfBuilder(module_so).needed("libm.so.6").needed("libdl.so.2");
  const auto findings = run(WheelBuilder(wheel_2_17).elf(module));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "needs libm.so.6 and 1 more but uses no symbol of them");
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17)
                      .elf(ElfBuilder(module_so).needed("libm.so.6").import("pow", "libm.so.6", "GLIBC_2.29")))
                  .empty());
}

TEST(NeededUnused, DoesNotGuessAboutLibrariesThatItCannotSee) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libcuda.so.1"))).empty());
  EXPECT_TRUE(run(WheelBuilder("foo-1-cp311-cp311-musllinux_1_2_x86_64.whl")
                      .elf(ElfBuilder("foo/x.so").libc(Libc::Musl).needed("libgcc_s.so.1")))
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test
