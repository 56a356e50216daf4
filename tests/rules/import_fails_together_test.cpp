#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"
#include "tests/rules/set_scene.h"

namespace wheelcheck::test::import_fails_together_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ImportFailsTogether, TellsTheErrorOfTheImport) {
  SetScene scene;
  scene.failure("libz.so.1: version `Z_2' not found (required by beta/_b.so)");
  const auto findings = scene.run("import-fails-together");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "import of beta._b fails after the other imports of this order, and works without them");
  EXPECT_EQ(evidence(findings[0], "ImportError"), "libz.so.1: version `Z_2' not found (required by beta/_b.so)");
  EXPECT_THAT(findings[0].fix, HasSubstr("import in the order beta, then alpha"));
}

// Two wheels with a library of one name, of which only that of beta defines g.
TEST(ImportFailsTogether, NamesTheLibraryThatIsLoadedInstead) {
  const auto wheel = [](const std::string& name, bool newer) {
    ElfBuilder library(name + "/libn.so.2");
    library.soname("libn.so.2").role(PlainLibrary{}).exports("f");
    if (newer) library.exports("g");
    ElfBuilder module(module_file(name + "/_m")), second(module_file(name + "/_n"));
    module.needed("libn.so.2").runpath("$ORIGIN").import("f");
    second.needed("libn.so.2").runpath("$ORIGIN").import("f");
    if (newer) module.import("g"), second.import("g");
    return wheel_of(name).elf(std::move(module)).elf(std::move(second)).elf(std::move(library));
  };
  const auto findings = played(Together({wheel("alpha", false), wheel("beta", true)}), "import-fails-together");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(evidence(findings[0], "effect"),
              HasSubstr("requires g, and alpha/libn.so.2 of alpha, which is loaded already, lacks it"));
  EXPECT_THAT(findings[0].message, HasSubstr("; 1 more file fails"));
}

// PyQt5-Qt5, which has libraries alone: who imports PyQt5 loads it.
TEST(ImportFailsTogether, OrdersNameWhatIsImported) {
  const auto library = [](const std::string& path, const std::string& name) {
    return ElfBuilder(path).soname("libn.so.2").role(PlainLibrary{}).exports(name);
  };
  const WheelBuilder binding =
      wheel_of("binding")
          .elf(ElfBuilder(module_file("binding/_m")).needed("libn.so.2").runpath("$ORIGIN/../tools"))
          .edit([](WheelFacts& facts) { facts.metadata->requires_dist = {"tools"}; });
  const WheelBuilder mesh =
      wheel_of("mesh")
          .elf(ElfBuilder(module_file("mesh/_m")).needed("libn.so.2").runpath("$ORIGIN").import("g"))
          .elf(library("mesh/libn.so.2", "g"));
  const auto findings = played(Together({wheel_of("tools").elf(library("tools/libn.so.2", "f")), binding, mesh}),
                               "import-fails-together");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(evidence(findings[0], "import order"), "binding, then mesh");
  EXPECT_THAT(findings[0].fix, HasSubstr("import in the order mesh, then binding; "));
}

// PyQt5.QtCore, then pymeshlab.
TEST(ImportFailsTogether, AModuleStandsForItsDistributionInAnOrder) {
  SetScene scene;
  scene.conflicts.load_plans.at(0).module = "alpha._a";
  scene.failure("undefined symbol: f").missing = process::Missing{.from = SetScene::beta, .library = SetScene::alpha};
  const auto findings = scene.run("import-fails-together");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(evidence(findings[0], "import order"), "alpha._a, then beta");
}

TEST(ImportFailsTogether, ModuleThatNeedNotBeImportedIsAWarning) {
  SetScene scene;
  scene.failure("undefined symbol: f").maybe = true;
  EXPECT_EQ(scene.run("import-fails-together").at(0).severity, Severity::Warning);
}

// PyQt5.QtBluetooth after PySide2, and PyQt5._QOpenGLFunctions_2_0, which need not be imported.
TEST(ImportFailsTogether, WhatFailsForCertainIsShownAndTheOthersAreCounted) {
  SetScene scene;
  scene.failure("undefined symbol: f").maybe = true;
  ImportFailure& certain = scene.failure("undefined symbol: f");
  certain.at = {0, 0};
  const auto findings = scene.run("import-fails-together");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("; 1 more file fails"));
}

TEST(ImportFailsTogether, AssertionOfTheLoaderIsTold) {
  SetScene scene;
  scene.failure("Inconsistency detected by ld.so").fatal = true;
  EXPECT_EQ(evidence(scene.run("import-fails-together").at(0), "ld.so ends it"), "Inconsistency detected by ld.so");
}

TEST(ImportFailsTogether, IsSilentWhereNothingFails) {
  EXPECT_THAT(SetScene().run("import-fails-together"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::import_fails_together_test
