#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::leaked_namespace_test {
namespace {

using testing::HasSubstr;

// N functions of a namespace: _ZN4llvm4f000Ev ...
ElfBuilder leaking(ElfBuilder elf, std::string_view scope, int functions) {
  for (int i = 0; i < functions; ++i) elf.exports(fmt::format("_ZN{}{}4f{:03}Ev", scope.size(), scope, i));
  return elf;
}
Scene wheel_with(const ElfBuilder& elf, const std::string& distribution = "foo") {
  return Scene(WheelBuilder(distribution + "-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(elf));
}

TEST(LeakedNamespace, FiresOnAKnownNamespace) {
  const auto findings = wheel_with(leaking(ElfBuilder(module_so), "llvm", 60)).run("leaked-namespace");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note) << "an import opens it with RTLD_LOCAL";
  EXPECT_EQ(findings[0].message, "exports 60 symbols of LLVM");
  EXPECT_EQ(evidence(findings[0], "LLVM"),
            "60: _ZN4llvm4f000Ev, _ZN4llvm4f001Ev, _ZN4llvm4f002Ev, _ZN4llvm4f003Ev, _ZN4llvm4f004Ev");
  EXPECT_THAT(findings[0].fix, HasSubstr("{ global: PyInit_x; local: *; }"));
  EXPECT_THAT(findings[0].fix, HasSubstr("-Wl,--exclude-libs,ALL"));
}

TEST(LeakedNamespace, WarnsOfUniqueSymbols) {
  ElfBuilder elf = leaking(ElfBuilder(module_so), "llvm", 60);
  const auto findings =
      wheel_with(elf.exports("_ZN4llvm1xE", SymbolKind::Object, Binding::Unique)).run("leaked-namespace");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "exports 61 symbols of LLVM; a process has one copy of 1 of them (STB_GNU_UNIQUE)");
  ElfBuilder versioned(module_so);
  for (int i = 0; i < 60; ++i) versioned.exports(fmt::format("_ZN4absl12lts_202301254f{:03}Ev", i));
  versioned.exports("_ZN4absl12lts_202301251xE", SymbolKind::Object, Binding::Unique);
  EXPECT_EQ(wheel_with(versioned).run("leaked-namespace").at(0).severity, Severity::Note)
      << "other versions have other names";
}

TEST(LeakedNamespace, IsANoteForTemplatesOfHeaders) {
  ElfBuilder elf(module_so);
  elf.exports("_ZN5boost1xE", SymbolKind::Object, Binding::Unique);
  for (int i = 0; i < 60; ++i)
    elf.exports(fmt::format("_ZN5boost4f{:03}IiEEvv", i), SymbolKind::Function, Binding::Weak);
  EXPECT_EQ(wheel_with(elf).run("leaked-namespace").at(0).severity, Severity::Note);
  elf.exports("_ZN5boost4fullEv");
  EXPECT_EQ(wheel_with(elf).run("leaked-namespace").at(0).severity, Severity::Warning)
      << "code of a library, and unique";
}

TEST(LeakedNamespace, IsSilentWhereTheyAreHiddenOrTheFilesOwn) {
  EXPECT_TRUE(wheel_with(ElfBuilder(module_so).exports("PyInit_x")).run("leaked-namespace").empty());
  EXPECT_TRUE(wheel_with(leaking(ElfBuilder(module_so), "mine", 90)).run("leaked-namespace").empty());
}

TEST(LeakedNamespace, CountsUpToTheThreshold) {
  Scene scene = wheel_with(leaking(ElfBuilder(module_so), "llvm", 49));
  EXPECT_TRUE(scene.run("leaked-namespace").empty());
  scene.options.leak_threshold = 49;
  EXPECT_EQ(scene.run("leaked-namespace").size(), 1U);
  Scene none = wheel_with(ElfBuilder(module_so));
  none.options.leak_threshold = 0;
  EXPECT_TRUE(none.run("leaked-namespace").empty());
}

TEST(LeakedNamespace, DoesNotCountRttiAndTemplatesOfStd) {
  ElfBuilder elf = leaking(ElfBuilder(module_so), "llvm", 49);
  for (int i = 0; i < 100; ++i) {
    elf.exports(fmt::format("_ZTVN4llvm4c{:03}E", i), SymbolKind::Object);
    elf.exports(fmt::format("_ZNSt6vectorIN4llvm4c{:03}ESaIS1_EE1fEv", i));
  }
  EXPECT_TRUE(wheel_with(elf).run("leaked-namespace").empty());
  const auto findings = wheel_with(leaking(elf, "llvm", 50)).run("leaked-namespace");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(evidence(findings[0], "LLVM"), HasSubstr("and 100 vtables, typeinfo and guards"));
}

TEST(LeakedNamespace, NamesTheLargestLibrariesFirst) {
  ElfBuilder elf = leaking(leaking(ElfBuilder(module_so), "llvm", 60), "mlir", 80);
  EXPECT_EQ(wheel_with(elf).run("leaked-namespace").at(0).message, "exports 80 symbols of MLIR and 60 of LLVM");
  elf = leaking(leaking(leaking(elf, "absl", 70), "tbb", 51), "re2", 52);
  EXPECT_EQ(wheel_with(elf).run("leaked-namespace").at(0).message,
            "exports 80 symbols of MLIR, 70 of Abseil, 60 of LLVM and of 2 more libraries");
}

TEST(LeakedNamespace, SaysWhichVersionItIs) {
  const auto findings =
      wheel_with(leaking(ElfBuilder(module_so), "llvm", 60).says("23.0.0git")).run("leaked-namespace");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 60 symbols of LLVM 23.0.0git");
  EXPECT_THAT(evidence(findings[0], "LLVM 23.0.0git"), HasSubstr("\"23.0.0git\""));
}

TEST(LeakedNamespace, LeavesOwnersAlone) {
  const ElfBuilder elf = leaking(ElfBuilder("pkg/x.so"), "llvm", 60);
  EXPECT_TRUE(wheel_with(elf, "llvmlite").run("leaked-namespace").empty());
  Scene said = wheel_with(elf);
  EXPECT_EQ(said.run("leaked-namespace").size(), 1U);
  said.options.own_namespaces = {"llvm"};
  EXPECT_TRUE(said.run("leaked-namespace").empty());
}

TEST(LeakedNamespace, LeavesTheLibraryItselfAlone) {
  EXPECT_TRUE(wheel_with(leaking(ElfBuilder("foo.libs/libprotobuf-1f2e3d4c.so.25"), "llvm", 10))
                  .run("leaked-namespace")
                  .empty());
  ElfBuilder protobuf("foo.libs/libprotobuf-1f2e3d4c.so.25");
  for (int i = 0; i < 60; ++i) protobuf.exports(fmt::format("_ZN6google8protobuf4f{:03}Ev", i));
  EXPECT_TRUE(wheel_with(protobuf).run("leaked-namespace").empty());
  // A bundled library with a name that no table has, but with no other contents.
  EXPECT_TRUE(
      wheel_with(leaking(ElfBuilder("foo.libs/libnew-1f2e3d4c.so.1"), "llvm", 60)).run("leaked-namespace").empty());
  EXPECT_FALSE(wheel_with(leaking(leaking(ElfBuilder("foo.libs/libnew-1f2e3d4c.so.1"), "llvm", 60), "x", 70))
                   .run("leaked-namespace")
                   .empty());
}

TEST(LeakedNamespace, KeepsWhatOtherFilesImport) {
  const Scene scene(WheelBuilder(wheel_2_17)
                        .elf(leaking(ElfBuilder("foo/libcore.so").soname("libcore.so"), "llvm", 60))
                        .elf(ElfBuilder(module_so).needed("libcore.so")));
  EXPECT_THAT(scene.run("leaked-namespace").at(0).fix,
              HasSubstr("where NAMES are what the file that requires it imports"));
}

TEST(LeakedNamespace, IsSilentWhereAnotherFileImportsTheNames) {
  const auto with = [](const char* import) {
    return Scene(WheelBuilder(wheel_2_17)
                     .elf(leaking(ElfBuilder("foo/libcore.so").soname("libcore.so"), "llvm", 60))
                     .elf(ElfBuilder(module_so).needed("libcore.so").runpath("$ORIGIN").import(import)))
        .run("leaked-namespace");
  };
  EXPECT_TRUE(with("_ZN4llvm4f003Ev").empty()) << "hiding them would break the other file";
  EXPECT_EQ(with("_ZN3foo4f003Ev").size(), 1U);
}

TEST(LeakedNamespace, IsAboutSharedObjectsOnly) {
  EXPECT_TRUE(wheel_with(leaking(ElfBuilder("foo/tool"), "llvm", 60)).run("leaked-namespace").empty());
}

}  // namespace
}  // namespace wheelcheck::test::leaked_namespace_test
