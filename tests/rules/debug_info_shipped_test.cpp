#include "tests/rules/scene.h"

namespace wheelcheck::test::debug_info_shipped_test {
namespace {

ElfBuilder with_debug(std::string path, std::uint64_t bytes) {
  return ElfBuilder(std::move(path)).edit([=](ElfMember& m) { m.facts.sections.debug_bytes = bytes; });
}
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("debug-info-shipped"); }

TEST(DebugInfoShipped, FiresAbove64Kilobytes) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(with_debug(module_so, 65'537)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains 65.5 kB of debug information");
  EXPECT_TRUE(std::holds_alternative<AtElf>(findings[0].place));
}

TEST(DebugInfoShipped, IsSilentUpTo64Kilobytes) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(with_debug(module_so, 65'536))).empty());
}

TEST(DebugInfoShipped, AddsUpTheFilesOfAWheelLargestFirst) {
  const auto findings = run(WheelBuilder(wheel_2_17)
                                .elf(with_debug("foo/a.so", 1'100'000))
                                .elf(with_debug("foo/b.so", 12'000'000))
                                .elf(with_debug("foo/c.so", 100)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files contain 13.1 MB of debug information");
  EXPECT_EQ(evidence(findings[0], "debug information"), "foo/b.so (12.0 MB), foo/a.so (1.1 MB)");
}

TEST(DebugInfoShipped, NamesNoFileThatOnlyTheRepairMakes) {
  const auto fix = [](const char* path) {
    return run(WheelBuilder(wheel_2_17).elf(with_debug(path, 2'000'000))).at(0).fix;
  };
  EXPECT_EQ(fix("foo/a.so"),
            "strip --strip-debug foo/a.so before auditwheel repair; with maturin: maturin build --strip");
  EXPECT_EQ(fix("foo.libs/libbar-0123abcd.so.1"),
            "strip --strip-debug the libbar.so.1 of the build image before auditwheel or maturin copies it, or use "
            "auditwheel repair --strip");
}

TEST(DebugInfoShipped, IsANoteForASmallPartOfTheWheel) {
  const auto severity = [](std::uint64_t debug, std::uint64_t installed) {
    return run(WheelBuilder(wheel_2_17).elf(with_debug(module_so, debug)).edit([&](WheelFacts& wheel) {
             wheel.members.front().size = installed;
           }))
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity(900'000, 9'100'000), Severity::Note);
  EXPECT_EQ(severity(900'000, 8'900'000), Severity::Warning);
  EXPECT_EQ(severity(5'000'000, 900'000'000), Severity::Warning);
}

ElfBuilder with_symbols(std::string path, std::uint64_t bytes) {
  return ElfBuilder(std::move(path)).edit([=](ElfMember& m) { m.facts.sections.symbol_bytes = bytes; });
}
std::vector<Finding> run_installed(const WheelBuilder& wheel, std::uint64_t installed) {
  return run(WheelBuilder(wheel).edit([&](WheelFacts& facts) { facts.members.front().size = installed; }));
}

TEST(DebugInfoShipped, NotesSymbolTablesThatAreALargePartOfTheWheel) {
  const auto findings = run_installed(
      WheelBuilder(wheel_2_17).elf(with_symbols("foo/a.so", 300'000)).elf(with_symbols("foo/b.so", 700'000)),
      9'000'000);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files contain 1.0 MB of symbol tables that no loader reads (.symtab)");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(evidence(findings[0], "symbol tables"), "foo/b.so (700.0 kB), foo/a.so (300.0 kB)");
  const WheelBuilder large = WheelBuilder(wheel_2_17).elf(with_symbols(module_so, 5'000'000));
  EXPECT_EQ(run_installed(large, 900'000'000).size(), 1U);
}

TEST(DebugInfoShipped, IsSilentAboutSmallSymbolTables) {
  EXPECT_TRUE(run_installed(WheelBuilder(wheel_2_17).elf(with_symbols(module_so, 900'000)), 9'100'000).empty());
  EXPECT_TRUE(run_installed(WheelBuilder(wheel_2_17).elf(with_symbols(module_so, 999'999)), 2'000'000).empty());
}

TEST(DebugInfoShipped, TellsOfBothInOneFinding) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(with_debug(module_so, 8'000'000).edit([](ElfMember& m) {
    m.facts.sections.symbol_bytes = 2'000'000;
  })));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "symbol tables"), "2.0 MB");
}

TEST(DebugInfoShipped, DoesNotBlameASplitDebugFile) {
  EXPECT_TRUE(
      run(WheelBuilder(wheel_2_17).elf(with_debug("foo/x.so.debug", 1'000'000).role(ForeignCode{"debug information"})))
          .empty());
}

}  // namespace
}  // namespace wheelcheck::test::debug_info_shipped_test
