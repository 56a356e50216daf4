#include "tests/rules/set_scene.h"

namespace wheelcheck::test::generic_soname_test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel, const std::vector<std::string>& own = {}) {
  Scene scene(wheel);
  scene.options.own_sonames = own;
  return scene.run("generic-soname");
}
ElfBuilder library(const std::string& name) { return ElfBuilder("foo/lib/" + name).soname(name); }

TEST(GenericSoname, FiresOnceForAllOfThem) {
  const WheelBuilder wheel =
      WheelBuilder(wheel_2_17).elf(library("libgomp.so.1")).elf(library("libjpeg.so.62")).elf(library("libz.so.1"));
  EXPECT_EQ(run(wheel).at(0).severity, Severity::Note) << "no import loads them";
  const auto findings = run(WheelBuilder(wheel).elf(ElfBuilder(module_so).needed("libz.so.1")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "bundles libjpeg.so.62 and 1 more, sonames that other wheels use too");
  EXPECT_EQ(evidence(findings[0], "names"), "libjpeg.so.62, libz.so.1");
  EXPECT_THAT(findings[0].fix,
              testing::HasSubstr("patchelf --set-soname NEW foo/lib/libjpeg.so.62, call the file NEW"));
}

TEST(GenericSoname, SaysOneAsOne) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(library("libz.so.1")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "bundles libz.so.1, a soname that other wheels use too");
}

TEST(GenericSoname, IsSilentWhereTheNameHoldsAHash) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo.libs/libz-1a2b3c4d.so.1").soname("libz-1a2b3c4d.so.1")))
                  .empty());
}

// A project's own repair script may produce this: other wheels that need libz.so.1 get this library.
TEST(GenericSoname, GoesByTheSonameWhereTheFileNameHasAHash) {
  const auto findings = run(WheelBuilder(wheel_2_17)
                                .elf(ElfBuilder("foo.libs/libz.def23b81.so.1").soname("libz.so.1"))
                                .elf(ElfBuilder(module_so).needed("libz.def23b81.so.1")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix,
              testing::StartsWith("patchelf --set-soname libz.def23b81.so.1 foo.libs/libz.def23b81.so.1"));
}

TEST(GenericSoname, GoesByTheFileNameWhereAnotherFileAsksForIt) {
  const ElfBuilder bare("foo/lib/libz.so.1");
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(bare)).empty());
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(bare).elf(ElfBuilder(module_so).needed("libz.so.1"))).size(), 1U);
}

TEST(GenericSoname, IsSilentForExtensionModulesAndUnknownLibraries) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).soname("libz.so.1"))).empty());
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(library("libfoocore.so.1"))).empty());
}

TEST(GenericSoname, IsSilentForTheWheelsOwnProduct) {
  const std::string pyarrow = "pyarrow-26.0.1-cp311-cp311-manylinux_2_17_x86_64.whl";
  EXPECT_TRUE(run(WheelBuilder(pyarrow).elf(library("libarrow.so.2600"))).empty());
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(library("libarrow.so.2600"))).size(), 1U);
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(library("libarrow.so.2600")), {"libarrow*"}).empty());
}

TEST(GenericSoname, NormalisesTheNameOfTheDistribution) {
  EXPECT_TRUE(run(WheelBuilder("PySide6_Essentials-6.12.0-cp310-abi3-manylinux_2_34_x86_64.whl")
                      .elf(library("libQt6Core.so.6")))
                  .empty());
}

TEST(GenericSoname, OfTwoWheelsTheLaterUsesTheFirstOnesLibrary) {
  SetScene scene;
  scene.relation(RelationKind::Displaced, Severity::Warning, Reason::UnknownVersion);
  const auto findings = scene.run("generic-soname");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(
      findings[0].message,
      "alpha/_a.so of alpha is loaded instead of beta/_b.so, because both have the same soname; it provides 1 name");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(findings[0], "import order"), "alpha, then beta");
}

// PySide2 and PyQt5 bring twenty libraries of Qt.
TEST(GenericSoname, LibrariesOfOnePairOfWheelsAreOneFinding) {
  SetScene scene;
  scene.relation(RelationKind::Displaced, Severity::Error, Reason::Incompatible);
  scene.relation(RelationKind::Displaced, Severity::Warning, Reason::UnknownVersion);
  scene.relation(RelationKind::Displaced, Severity::Note, Reason::SameVersion);
  const auto findings = scene.run("generic-soname");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("it provides 1 name; 2 more files likewise"));
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("import in the order beta, then alpha; give the library of alpha"));
}

TEST(GenericSoname, AnOrderOfOneNameIsNoAdvice) {
  SetScene scene;
  scene.relation(RelationKind::Displaced, Severity::Error, Reason::Incompatible).distribution = DistributionIndex{0};
  EXPECT_THAT(scene.run("generic-soname").at(0).fix, testing::StartsWith("give the library of alpha a unique name"));
}

TEST(GenericSoname, OfTwoWheelsCapturesBelongToAnotherRule) {
  SetScene scene;
  scene.relation(RelationKind::Capture);
  EXPECT_TRUE(scene.run("generic-soname").empty());
}

}  // namespace
}  // namespace wheelcheck::test::generic_soname_test
