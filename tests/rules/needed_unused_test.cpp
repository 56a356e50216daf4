#include <map>
#include <random>
#include <set>

#include "tests/rules/scene.h"

namespace wheelcheck::test::needed_unused_test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("needed-unused"); }
ElfBuilder bundled() { return ElfBuilder("foo.libs/libz-1.so").soname("libz-1.so").exports("deflate"); }

TEST(NeededUnused, FiresForALibraryOfTheWheelWhoseSymbolsNobodyImports) {
  const auto findings =
      run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libz-1.so").import("inflate")).elf(bundled()));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires libz-1.so but uses no symbol of it");
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

// Lists of all lengths with names that have equal lengths and ends.
TEST(NeededUnused, SaysWhatComparingEveryNameSays) {
  std::mt19937 random(5);
  const auto some_names = [&](std::size_t count) {
    std::set<std::string> names;
    for (std::size_t i = 0; i < count; ++i) names.insert(std::to_string(10'000 + random() % 20'000) + "_the_same_end");
    return names;
  };
  for (int round = 0; round < 20; ++round) {
    WheelBuilder wheel(wheel_2_17);
    std::map<std::string, std::set<std::string>> exports;
    for (const std::size_t count : {1, 2, 30, 100, 1000}) {
      const std::string soname = "lib" + std::to_string(count) + "-1.so";
      ElfBuilder library = ElfBuilder("foo.libs/" + soname).soname(soname);
      for (const std::string& name : exports[soname] = some_names(count)) library.exports(name);
      wheel.elf(library);
    }
    std::multiset<std::string> expected;
    for (const std::size_t count : {1, 15, 17, 40, 500, 3000}) {
      ElfBuilder user("foo/user" + std::to_string(count) + ".so");
      const std::set<std::string> imports = some_names(count);
      for (const std::string& name : imports) user.import(name);
      std::string unused;
      for (const auto& [soname, names] : exports) {
        user.needed(soname);
        if (std::ranges::any_of(names, [&](const std::string& name) { return imports.contains(name); })) continue;
        unused += (unused.empty() ? "" : ", ") + soname;
      }
      if (!unused.empty()) expected.insert(unused);
      wheel.elf(user);
    }
    std::multiset<std::string> found;
    for (const Finding& finding : run(wheel)) found.insert(finding.evidence.front().value);
    EXPECT_EQ(found, expected) << round;
  }
}

TEST(NeededUnused, KnowsThatEverySymbolOfGlibcHasAVersion) {
  const ElfBuilder module = ElfBuilder(module_so).needed("libm.so.6").needed("libdl.so.2");
  const auto findings = run(WheelBuilder(wheel_2_17).elf(module));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires libm.so.6 and 1 more but uses no symbol of them");
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
}  // namespace wheelcheck::test::needed_unused_test
