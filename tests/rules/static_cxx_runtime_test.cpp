#include "tests/rules/scene.h"

namespace wheelcheck::test::static_cxx_runtime_test {
namespace {

ElfBuilder linked_in(const std::string& path) { return ElfBuilder(path).exports("__cxa_throw"); }

TEST(StaticCxxRuntime, NamesTheFileAndWhatShowsIt) {
  const Scene scene(WheelBuilder(wheel_2_17).elf(linked_in(module_so)));
  const auto findings = scene.run("static-cxx-runtime");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].message, "contains a statically linked libstdc++");
  EXPECT_EQ(evidence(findings[0], "seen by"), "__cxa_throw");
  EXPECT_EQ(scene.path(findings[0]), module_so);
}

TEST(StaticCxxRuntime, GathersSeveralFiles) {
  const auto findings =
      Scene(WheelBuilder(wheel_2_17).elf(linked_in("foo/a.so")).elf(linked_in("foo/b.so"))).run("static-cxx-runtime");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "2 files contain a statically linked libstdc++");
  EXPECT_EQ(evidence(findings[0], "files"), "foo/a.so, foo/b.so");
}

TEST(StaticCxxRuntime, TellsLibcxxApart) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).exports("_ZNSt3__15mutex4lockEv")))
                            .run("static-cxx-runtime");
  EXPECT_EQ(findings.at(0).message, "contains a statically linked libc++");
}

TEST(StaticCxxRuntime, IsSilentForTheSharedOneForHybridsAndForPrograms) {
  const std::vector<ElfBuilder> files = {
      ElfBuilder(module_so).needed("libstdc++.so.6").import("__cxa_throw", "libstdc++.so.6", "CXXABI_1.3"),
      ElfBuilder(module_so).needed("libstdc++.so.6").exports("_ZNSt13runtime_errorC1EOS_"),
      linked_in("foo-1.0.data/scripts/tool")};
  for (const ElfBuilder& file : files)
    EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(file)).run("static-cxx-runtime").empty()) << file.path();
}

}  // namespace
}  // namespace wheelcheck::test::static_cxx_runtime_test
