#include "tests/rules/scene.h"

namespace wheelcheck::test::cxx_runtime_exported_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("cxx-runtime-exported");
}

TEST(CxxRuntimeExported, FiresForStrongDefinitions) {
  const auto findings = run(ElfBuilder(module_so)
                                .exports("_ZNSt8ios_base4InitC1Ev")
                                .exports("__cxa_throw")
                                .exports("_ZSt4cout", SymbolKind::Object));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "exports 3 symbols of the C++ runtime that is linked into it");
  EXPECT_TRUE(evidence(findings[0], "symbols").starts_with("__cxa_throw"));
  EXPECT_EQ(findings[0].fix, "link with -Wl,--exclude-libs,libstdc++.a:libgcc.a:libgcc_eh.a");
}

TEST(CxxRuntimeExported, IsSilentForWeakOnesAndSpecialisations) {
  EXPECT_TRUE(
      run(ElfBuilder(module_so).exports("_ZNSt13runtime_errorC1EOS_", SymbolKind::Function, Binding::Weak)).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).exports("_ZNKSt4hashIN3foo4ItemEEclERKS1_")).empty());
  EXPECT_TRUE(run(ElfBuilder(module_so).exports("_ZSt4coutX")).empty());
}

TEST(CxxRuntimeExported, IsANoteForTheNewerPartsOfAToolset) {
  const auto findings = run(ElfBuilder(module_so).needed("libstdc++.so.6").exports("_ZNSt13runtime_errorC1EOS_"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("libstdc++_nonshared.a"));
}

TEST(CxxRuntimeExported, IsANoteUnderMuslWhichHasNoUniqueSymbols) {
  const auto severity = [](const std::string& tag) {
    return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + ".whl").elf(ElfBuilder(module_so).exports("__cxa_throw")))
        .run("cxx-runtime-exported")
        .at(0)
        .severity;
  };
  EXPECT_EQ(severity("musllinux_1_2_x86_64"), Severity::Note);
  EXPECT_EQ(severity("manylinux_2_17_x86_64"), Severity::Warning);
}

TEST(CxxRuntimeExported, IsSilentForTheRuntimesThemselvesAndForPrograms) {
  for (const char* path : {"foo.libs/libstdc++-1a2b3c4d.so.6", "foo.libs/libgcc_s-1a2b3c4d.so.1", "foo/libc++.so.1",
                           "foo/libc++_shared.so", "foo-1.0.data/scripts/tool"})
    EXPECT_TRUE(run(ElfBuilder(path).exports("__cxa_throw").exports("_Unwind_Resume")).empty()) << path;
}

}  // namespace
}  // namespace wheelcheck::test::cxx_runtime_exported_test
