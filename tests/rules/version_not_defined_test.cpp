#include "tests/rules/scene.h"

namespace wheelcheck::test::version_not_defined_test {
namespace {

Scene bundled() {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder(module_so).needed("libq.so.1").import("q", "libq.so.1", "Q_2"))
                   .elf(ElfBuilder("foo.libs/libq.so.1").exports("q", "Q_1")));
}

TEST(VersionNotDefined, NamesVersionLibraryAndCopy) {
  Scene scene = bundled();
  scene.resolution.missing_versions.push_back(
      {elf_at(scene.wheel, module_so), NeedIndex{0}, {WheelIndex{0}, elf_at(scene.wheel, "foo.libs/libq.so.1")}});
  const auto findings = scene.run("version-not-defined");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires Q_2 of libq.so.1, which foo.libs/libq.so.1 does not define");
  EXPECT_EQ(evidence(findings[0], "symbols"), "q");
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(scene.path(findings[0]), module_so);
}

TEST(VersionNotDefined, IsSilentWhereTheResolutionMissesNothing) {
  EXPECT_TRUE(bundled().run("version-not-defined").empty());
}

TEST(VersionNotDefined, KnowsACopyInAnotherWheel) {
  Scene scene = bundled();
  scene.resolution.missing_versions.push_back(
      {elf_at(scene.wheel, module_so), NeedIndex{0}, {WheelIndex{1}, ElfIndex{9}}});
  EXPECT_EQ(evidence(scene.run("version-not-defined").at(0), "found in"), "another wheel of the run");
}

}  // namespace
}  // namespace wheelcheck::test::version_not_defined_test
