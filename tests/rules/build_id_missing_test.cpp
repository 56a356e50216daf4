#include "tests/rules/scene.h"

namespace wheelcheck::test::build_id_missing_test {
namespace {

ElfBuilder identified(std::string path) {
  return ElfBuilder(std::move(path)).edit([](ElfMember& m) { m.facts.build_id = "00ff"; });
}
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("build-id-missing"); }

TEST(BuildIdMissing, FiresWithoutTheNote) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has no build ID");
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(BuildIdMissing, IsSilentWithIt) { EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(identified(module_so))).empty()); }

TEST(BuildIdMissing, TellsOfManyFilesOnce) {
  const auto findings = run(WheelBuilder(wheel_2_17)
                                .elf(ElfBuilder("foo/a.so"))
                                .elf(identified("foo/b.so"))
                                .elf(ElfBuilder("foo/c.so"))
                                .elf(ElfBuilder("foo/d.o").role(ForeignCode{"relocatable object"})));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files have no build ID");
  EXPECT_EQ(evidence(findings[0], "without"), "foo/a.so, foo/c.so");
}

}  // namespace
}  // namespace wheelcheck::test::build_id_missing_test
