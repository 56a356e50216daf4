#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/set_scene.h"

namespace wheelcheck {
namespace {

using test::SetScene;
using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(UniqueShared, IsAnErrorWhereTheSizesDiffer) {
  SetScene scene;
  scene.relation(RelationKind::SharedUnique).tally.size_differs = 1;
  const auto findings = scene.run("unique-shared");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "1 unique symbol in alpha/_a.so of alpha is used by beta/_b.so too: the process has only one copy");
}

TEST(UniqueShared, IsAWarningWhereTheVersionsDoNotFitAndANoteWhereNothingTells) {
  SetScene old, unknown;
  old.relation(RelationKind::SharedUnique, Severity::Error, Reason::OlderProvider);
  EXPECT_EQ(old.run("unique-shared").at(0).severity, Severity::Warning);
  unknown.relation(RelationKind::SharedUnique, Severity::Error, Reason::UnknownVersion);
  EXPECT_EQ(unknown.run("unique-shared").at(0).severity, Severity::Info);
}

TEST(UniqueShared, IsSilentOnWhatIsMadeToBeShared) {
  SetScene scene;
  scene.relation(RelationKind::SharedUnique, Severity::Info, Reason::TypeInformation);
  scene.relation(RelationKind::SharedUnique, Severity::Info, Reason::SameBuild);
  scene.relation(RelationKind::SharedUnique, Severity::Warning, Reason::UnknownVersion).symbols[0].name =
      "_ZN8pybind116detail27__pybind11_internals_v5_gcc";
  EXPECT_THAT(scene.run("unique-shared"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck
