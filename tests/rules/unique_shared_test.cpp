#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/set_scene.h"

namespace wheelcheck::test::unique_shared_test {
namespace {

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

// The severity for versions that do not fit, with this further export of the provider.
Severity severity_with(const std::string& further) {
  SetScene scene;
  scene.relation(RelationKind::SharedUnique, Severity::Error, Reason::OlderProvider).symbols[0].name =
      "_ZN6gcache4poolE";
  const ElfMember provider = test::ElfBuilder("alpha/_a.so").exports("_ZN6gcache4poolE").exports(further).build({0});
  scene.conflicts.installation.world.files = {{.path = "/alpha/_a.so", .facts = &provider.facts},
                                              {.path = "/beta/_b.so"}};
  return scene.run("unique-shared").at(0).severity;
}

TEST(UniqueShared, IsAWarningWhereTheVersionsDoNotFitAndCodeInitializesTheVariable) {
  EXPECT_EQ(severity_with("_ZGVN6gcache4poolE"), Severity::Warning);
  EXPECT_EQ(severity_with("_ZGVN6gcache5otherE"), Severity::Note);
}

// arrow::internal::ParseValue<Int8Type>(...)::type of snowflake-connector-python 2.7.9 and pyarrow 10.0.1.
TEST(UniqueShared, IsAWarningWhereOnlyVariablesOfFunctionsHaveAnotherSize) {
  const auto severity = [](const std::string& name) {
    SetScene scene;
    Relation& relation = scene.relation(RelationKind::SharedUnique);
    relation.symbols = {{.name = name, .from = SetScene::beta, .own = 0, .taken = 0}};
    const auto with_size = [&](const std::string& path, std::uint64_t size) {
      return test::ElfBuilder(path).exports(name, SymbolKind::Object, Binding::Unique, size).build({0});
    };
    const ElfMember provider = with_size("alpha/_a.so", 8), own = with_size("beta/_b.so", 16);
    scene.conflicts.installation.world.files = {{.path = "/alpha/_a.so", .facts = &provider.facts},
                                                {.path = "/beta/_b.so", .facts = &own.facts}};
    return scene.run("unique-shared").at(0).severity;
  };
  EXPECT_EQ(severity("_ZZN5arrow5parseEvE4type"), Severity::Warning);
  EXPECT_EQ(severity("_ZN5arrow4poolE"), Severity::Error);
}

TEST(UniqueShared, LibrariesOfOnePairOfWheelsAreOneFinding) {
  SetScene scene;
  scene.relation(RelationKind::SharedUnique);
  scene.relation(RelationKind::SharedUnique, Severity::Note, Reason::UnknownVersion);
  const auto findings = scene.run("unique-shared");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(test::evidence(findings[0], "also"), "1 symbol in alpha/_a.so, used by beta/_b.so");
}

TEST(UniqueShared, IsANoteWhereNothingTells) {
  SetScene unknown;
  unknown.relation(RelationKind::SharedUnique, Severity::Error, Reason::UnknownVersion);
  EXPECT_EQ(unknown.run("unique-shared").at(0).severity, Severity::Note);
}

TEST(UniqueShared, IsSilentOnWhatIsMadeToBeShared) {
  SetScene scene;
  scene.relation(RelationKind::SharedUnique, Severity::Note, Reason::TypeInformation);
  scene.relation(RelationKind::SharedUnique, Severity::Note, Reason::SameBuild);
  scene.relation(RelationKind::SharedUnique, Severity::Warning, Reason::UnknownVersion).symbols[0].name =
      "_ZN8pybind116detail27__pybind11_internals_v5_gcc";
  EXPECT_THAT(scene.run("unique-shared"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::unique_shared_test
