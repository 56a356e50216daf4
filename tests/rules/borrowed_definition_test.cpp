#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/set_scene.h"

namespace wheelcheck::test::borrowed_definition_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(BorrowedDefinition, NamesWhatIsFoundInTheOtherAlone) {
  SetScene scene;
  scene.relation(RelationKind::Borrow, Severity::Warning, Reason::MissingAlone);
  const auto findings = scene.run("borrowed-definition");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message, "1 name that beta/_b.so requires is defined only by alpha/_a.so of alpha");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
}

TEST(BorrowedDefinition, WeakNamesAreAnInformation) {
  SetScene scene;
  scene.relation(RelationKind::Borrow, Severity::Note, Reason::MissingAlone).tally.symbols = 2;
  const auto findings = scene.run("borrowed-definition");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message, "2 names that beta/_b.so can do without are defined only by alpha/_a.so of alpha");
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(BorrowedDefinition, FilesOfOnePairOfWheelsAreOneFinding) {
  SetScene scene;
  for (int i = 0; i < 3; ++i) scene.relation(RelationKind::Borrow, Severity::Warning, Reason::MissingAlone);
  scene.relation(RelationKind::Borrow, Severity::Note, Reason::MissingAlone);
  const auto findings = scene.run("borrowed-definition");
  ASSERT_THAT(findings, SizeIs(2));
  EXPECT_EQ(
      findings[0].message,
      "1 name that beta/_b.so requires is defined only by alpha/_a.so of alpha; so are names of 2 more pairs of files");
}

TEST(BorrowedDefinition, IsSilentOnCaptures) {
  SetScene scene;
  scene.relation(RelationKind::Capture);
  EXPECT_THAT(scene.run("borrowed-definition"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::borrowed_definition_test
