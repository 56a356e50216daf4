#include "tests/rules/scene.h"

namespace wheelcheck::test::relro_partial_test {
namespace {

ElfBuilder with(std::string path, Relro relro) {
  return ElfBuilder(std::move(path)).edit([=](ElfMember& m) { m.facts.segments.relro = relro; });
}
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("relro-partial"); }

TEST(RelroPartial, FiresWithoutRelroAndWithoutBindingAtLoad) {
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(with(module_so, Relro::None))).at(0).message, "has no RELRO");
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(with(module_so, Relro::Partial))).at(0).message,
            "has RELRO for a part of its tables only");
}

TEST(RelroPartial, IsSilentForFullRelroAndStaticPrograms) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(with(module_so, Relro::Full))).empty());
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(with("foo/tool", Relro::None).no_dynamic())).empty());
}

TEST(RelroPartial, TellsOfManyFilesOnce) {
  const auto findings =
      run(WheelBuilder(wheel_2_17).elf(with("foo/a.so", Relro::None)).elf(with("foo/b.so", Relro::Partial)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files have no full RELRO");
  EXPECT_EQ(evidence(findings[0], "no PT_GNU_RELRO"), "foo/a.so");
  EXPECT_EQ(evidence(findings[0], "not bound at load"), "foo/b.so");
}

TEST(RelroPartial, IsPedantic) { EXPECT_TRUE(find_rule("WC605")->pedantic); }

}  // namespace
}  // namespace wheelcheck::test::relro_partial_test
