#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::gnu_unique_test {
namespace {

ElfBuilder with_unique(std::string path, int count) {
  ElfBuilder elf(std::move(path));
  for (int i = 0; i < count; ++i) elf.exports(fmt::format("_ZN3foo4v{:03}E", i), SymbolKind::Object, Binding::Unique);
  return elf.exports("_ZN3foo1fEv");
}

// Files with different bytes.
std::vector<Finding> run(const ElfBuilder& one, const ElfBuilder& other) {
  return Scene(WheelBuilder(wheel_2_17).elf(one).elf(other).edit([](WheelFacts& wheel) {
           wheel.members[wheel.elfs.front().member.value].crc32 = 1;
         }))
      .run("gnu-unique");
}

TEST(GnuUnique, IsOneInfoForTheWheel) {
  const auto findings = run(with_unique(module_so, 2), with_unique("foo/liby.so", 500));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "2 files export 502 STB_GNU_UNIQUE symbols (one copy per process)");
  EXPECT_EQ(evidence(findings[0], "files"), "foo/liby.so (500), " + module_so + " (2)");
}

TEST(GnuUnique, NamesAFileWithMoreThan500) {
  const auto findings = run(with_unique(module_so, 501), with_unique("foo/z.so", 10));
  ASSERT_EQ(findings.size(), 2U);
  const Finding& one = std::holds_alternative<AtElf>(findings[0].place) ? findings[0] : findings[1];
  const Finding& info = std::holds_alternative<AtElf>(findings[0].place) ? findings[1] : findings[0];
  EXPECT_EQ(one.severity, Severity::Note);
  EXPECT_EQ(one.message, "exports 501 STB_GNU_UNIQUE symbols (one copy per process)");
  EXPECT_THAT(evidence(one, "symbols"), testing::StartsWith("_ZN3foo4v000E, _ZN3foo4v001E"));
  EXPECT_EQ(info.message, "1 file exports 10 STB_GNU_UNIQUE symbols (one copy per process)");
}

TEST(GnuUnique, IsSilentWithoutThemAndForAFew) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(with_unique(module_so, 9))).run("gnu-unique").empty());
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(with_unique(module_so, 0))).run("gnu-unique").empty());
}

}  // namespace
}  // namespace wheelcheck::test::gnu_unique_test
