#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/set_scene.h"

namespace wheelcheck {
namespace {

using test::evidence;
using test::SetScene;
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

TEST(ImportFailsTogether, ModuleThatNeedNotBeImportedIsAWarning) {
  SetScene scene;
  scene.failure("undefined symbol: f").maybe = true;
  EXPECT_EQ(scene.run("import-fails-together").at(0).severity, Severity::Warning);
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
}  // namespace wheelcheck
