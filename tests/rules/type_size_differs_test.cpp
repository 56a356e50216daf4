#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::type_size_differs_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

using Types = InterfaceFacts;

Types imports(ImportedType type) { return {.imported_types = {type}}; }
Types defines(DefinedType type) { return {.defined_types = {type}}; }

WheelBuilder with_module(const std::string& name, const std::string& version, const std::string& module,
                         const Types& types) {
  return wheel_of(name, version).elf(ElfBuilder(module_file(module)).edit([types](ElfMember& member) {
    member.facts.interfaces = types;
  }));
}
Together with(const Types& imported, const Types& defined, const std::string& provider = "base") {
  return Together(
      {with_module(provider, "2.0", "base/_core", defined), with_module("user", "1.0", "user/_m", imported)});
}

TEST(TypeSizeDiffers, FiresOnASmallerObject) {
  const auto findings =
      played(with(imports({.name = "base.Box", .size = 96, .warns = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message, "user 1.0 was compiled for another base than 2.0");
  EXPECT_THAT(findings[0].evidence[1].value, HasSubstr("base.Box: 96 bytes at compile time, 88 in base/_core"));
}

TEST(TypeSizeDiffers, FiresOnALargerObjectOnlyIfTheCheckIsExact) {
  EXPECT_THAT(
      played(with(imports({.name = "base.Box", .size = 80, .exact = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs"),
      SizeIs(1));
  EXPECT_THAT(played(with(imports({.name = "base.Box", .size = 80}), defines({.name = "base.Box", .size = 88})),
                     "type-size-differs"),
              IsEmpty());
}

// gevent 20.6.2 with greenlet 1.1.0: a class that inherits from greenlet has its fields where the new ones are.
TEST(TypeSizeDiffers, IsAnErrorForALargerObjectWhereTheModuleHasALargerClass) {
  const auto of = [](std::uint64_t own) {
    return played(with({.defined_types = {{"user.Own", own}},
                        .imported_types = {{.name = "base.Box", .size = 80, .warns = true}}},
                       defines({.name = "base.Box", .size = 88})),
                  "type-size-differs");
  };
  EXPECT_EQ(of(96).at(0).severity, Severity::Error);
  EXPECT_THAT(of(96).at(0).evidence[0].value, HasSubstr("write into its new fields: expect a crash"));
  EXPECT_EQ(of(80).at(0).severity, Severity::Warning);
}

// scikit-survival 0.19.0 with scikit-learn 1.2.1: the first type is larger than all classes of the module.
TEST(TypeSizeDiffers, OfSeveralLargerTypesTheOneThatAClassInheritsFromCounts) {
  const Types module = {.defined_types = {{"user.Own", 96}},
                        .imported_types = {{.name = "base.Large", .size = 800, .warns = true},
                                           {.name = "base.Box", .size = 80, .warns = true}}};
  const Types base = {.defined_types = {{"base.Large", 888}, {"base.Box", 88}}};
  const auto findings = played(with(module, base), "type-size-differs");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].evidence[1].value, HasSubstr("base.Box"));
}

TEST(TypeSizeDiffers, NamesTheReleaseThatIsRequiredElseBoth) {
  const auto fix = [](const std::string& line) {
    const Types types = imports({.name = "base.Box", .size = 96, .warns = true});
    const auto user = with_module("user", "1.0", "user/_m", types).edit([&](WheelFacts& wheel) {
      wheel.metadata->requires_dist = {line};
    });
    return played(Together({with_module("base", "2.0", "base/_core", defines({.name = "base.Box", .size = 88})), user}),
                  "type-size-differs")
        .at(0)
        .fix;
  };
  EXPECT_EQ(fix("base<2"), "pip install 'base<2'");
  EXPECT_EQ(fix("base>=1"),
            "pip install --upgrade user base; in user: require the releases of base that it was compiled for");
}

TEST(TypeSizeDiffers, IsAWarningForALargerObjectOfWhichPythonWarns) {
  const auto findings =
      played(with(imports({.name = "base.Box", .size = 80, .warns = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings[0].evidence[0].value, HasSubstr("RuntimeWarning: base.Box size changed"));
  EXPECT_THAT(
      played(with(imports({.name = "base.Box", .size = 88, .warns = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs"),
      IsEmpty());
  EXPECT_EQ(
      played(with(imports({.name = "base.Box", .size = 96, .warns = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs")
          .at(0)
          .severity,
      Severity::Error);
  EXPECT_THAT(played(with(imports({.name = "numpy.ufunc", .size = 80, .warns = true}),
                          defines({.name = "numpy.ufunc", .size = 88}), "numpy"),
                     "type-size-differs"),
              IsEmpty());
}

TEST(TypeSizeDiffers, IsSilentWhereTheSizeFitsOrNobodyDefinesTheType) {
  EXPECT_THAT(
      played(with(imports({.name = "base.Box", .size = 88, .exact = true}), defines({.name = "base.Box", .size = 88})),
             "type-size-differs"),
      IsEmpty());
  // A tuple-like object has one more item than the empty one.
  EXPECT_THAT(played(with(imports({.name = "base.Box", .size = 96, .warns = true}),
                          defines({.name = "base.Box", .size = 88, .item_size = 8})),
                     "type-size-differs"),
              IsEmpty());
  EXPECT_THAT(
      played(with(imports({.name = "base.Box", .size = 96, .warns = true}), defines({.name = "base.Other", .size = 8})),
             "type-size-differs"),
      IsEmpty());
  EXPECT_THAT(played(with({.defined_types = {{"base.Box", 96}},
                           .imported_types = {{.name = "base.Box", .size = 96, .warns = true}}},
                          defines({.name = "base.Box", .size = 88})),
                     "type-size-differs"),
              IsEmpty());
}

// gevent imports its modules by computed names. The modules of a package that certainly imports others are optional.
TEST(TypeSizeDiffers, IsAWarningWhereOnlyOtherImportsAreCertain) {
  const auto severity = [](bool other) {
    WheelBuilder user = with_module("user", "1.0", "user/_m", imports({.name = "base.Box", .size = 96, .warns = true}));
    if (other) user.elf(ElfBuilder(module_file("user/_other")));
    const auto findings =
        played(Together({with_module("base", "2.0", "base/_core", defines({.name = "base.Box", .size = 88})), user})
                   .maybe(module_file("user/_m")),
               "type-size-differs");
    return findings.size() == 1 ? findings[0].severity : Severity::Note;
  };
  EXPECT_EQ(severity(false), Severity::Error);
  EXPECT_EQ(severity(true), Severity::Warning);
}

TEST(TypeSizeDiffers, IsSilentWhereTheWheelRefusesTheNumpyForItsVersion) {
  const Types types = {.numpy_messages = {"module compiled against ABI version 0x%x but this version of numpy is 0x%x",
                                          "module compiled against API version 0x%x but this version of numpy is 0x%x"},
                       .imported_types = {{.name = "base.Box", .size = 96, .warns = true}}};
  EXPECT_THAT(played(with(types, defines({.name = "base.Box", .size = 88}), "numpy"), "type-size-differs"), IsEmpty());
  EXPECT_THAT(played(with(types, defines({.name = "base.Box", .size = 88})), "type-size-differs"), SizeIs(1));
}

}  // namespace
}  // namespace wheelcheck::test::type_size_differs_test
