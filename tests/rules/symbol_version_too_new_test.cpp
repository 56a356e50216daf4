#include "rules/common.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::symbol_version_too_new_test {
namespace {

Scene one_module(const std::string& name = wheel_2_17) { return Scene(WheelBuilder(name).elf(ElfBuilder(module_so))); }

std::vector<Finding> run(VersionRequirement required, const std::string& newest_unmet = before_2_28) {
  return one_module().requires_at(module_so, std::move(required), newest_unmet).run("symbol-version-too-new");
}

TEST(SymbolVersionTooNew, NamesFileLibraryNodeAndSymbols) {
  const auto findings = run({"libc.so.6", "GLIBC_2.34", {"dlopen", "pthread_create"}});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires GLIBC_2.34 of libc.so.6 for dlopen and 1 more, above the 2.17 of the tag");
  EXPECT_EQ(evidence(findings[0], "symbols"), "dlopen, pthread_create");
  EXPECT_EQ(evidence(findings[0], "library"), "libc.so.6");
  EXPECT_EQ(evidence(findings[0], "version"), "GLIBC_2.34");
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64");
  EXPECT_THAT(findings[0].fix, testing::StartsWith("build in the manylinux2014_x86_64 image"));
}

TEST(SymbolVersionTooNew, IsSilentAtTheVeryVersionPromised) {
  EXPECT_TRUE(run({"libc.so.6", "GLIBC_2.17", {"clock_gettime"}}, nowhere).empty());
}

TEST(SymbolVersionTooNew, CountsOneNodeOnceForEveryTagThatItBreaks) {
  const auto findings =
      one_module("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.manylinux2014_x86_64.whl")
          .requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.28", {"fcntl64"}}, before_2_28)
          .run("symbol-version-too-new");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64, manylinux2014_x86_64");
}

TEST(SymbolVersionTooNew, KnowsTheWayRoundACommonSymbol) {
  EXPECT_THAT(run({"libc.so.6", "GLIBC_2.28", {"fcntl64"}})[0].fix, testing::HasSubstr("-D_FILE_OFFSET_BITS=64"));
  EXPECT_THAT(run({"libc.so.6", "GLIBC_2.38", {"__isoc23_strtol"}})[0].fix, testing::HasSubstr("-std=c17"));
  EXPECT_THAT(run({"libc.so.6", "GLIBC_2.32", {"__libc_single_threaded"}})[0].fix,
              testing::HasSubstr("sys/single_threaded.h"));
  EXPECT_THAT(run({"libc.so.6", "GLIBC_ABI_DT_RELR", {}})[0].fix, testing::HasSubstr("-z,nopack-relative-relocs"));
  EXPECT_THAT(run({"libstdc++.so.6", "GLIBCXX_3.4.30", {"_ZSt3foo"}})[0].fix, testing::HasSubstr("-static-libstdc++"));
}

// torchrl 2026.10.27: torch has no wheels for older systems, and the file shares the C++ library with it.
TEST(SymbolVersionTooNew, KnowsThatCodeOfARequirementIsInTheProcess) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libtorch.so")));
  scene.requires_at(module_so, VersionRequirement{"libstdc++.so.6", "GLIBCXX_3.4.30", {"_ZSt3foo"}}, before_2_28);
  scene.resolution.sources.push_back({LibrarySource::Kind::Distribution, "torch", {}, {"libtorch.so"}});
  scene.needed(module_so, "libtorch.so").source = SourceIndex{0};
  const std::string fix = scene.run("symbol-version-too-new").at(0).fix;
  EXPECT_THAT(fix, testing::HasSubstr("or in the oldest one for which torch has wheels"));
  EXPECT_THAT(fix, testing::Not(testing::HasSubstr("-static-libstdc++")));
}

// mpedb 0.3.1: a Rust crate calls copy_file_range, which the image of the tag did not have when the file was linked.
TEST(SymbolVersionTooNew, KnowsAFunctionThatTheImageDidNotHave) {
  const auto findings =
      Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import("copy_file_range")))
          .requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.27", {"copy_file_range"}}, before_2_28)
          .run("symbol-version-too-new");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_THAT(findings[0].fix, testing::StartsWith("declare copy_file_range weak"));
}

// furiosa-native-runtime 2026.2.1 was linked by zig, which has no such names, with C++ code of a newer system, and
// openvcad 2.3.8 in the image of its tag, with static libraries of a newer system.
TEST(SymbolVersionTooNew, DoesNotBlameACallForWhatHeadersUse) {
  const auto fix = [](const std::string& symbol) {
    return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import(symbol)))
        .requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.30", {symbol}}, before_2_28)
        .run("symbol-version-too-new")
        .at(0)
        .fix;
  };
  for (const char* const name : {"pthread_cond_clockwait", "__isoc23_strtol"})
    EXPECT_THAT(fix(name), testing::EndsWith("static libraries too: a part was compiled on a newer system")) << name;
  EXPECT_THAT(fix("twalk_r"), testing::StartsWith("declare twalk_r weak"));
}

// libdescriptor 0.2.3
TEST(SymbolVersionTooNew, DoesNotTellToBuildACopyOfTheSystem) {
  const std::string copy = "foo/libstdc++.so.6";
  EXPECT_THAT(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(copy)))
                  .requires_at(copy, VersionRequirement{"libc.so.6", "GLIBC_2.30", {"twalk_r"}}, before_2_28)
                  .run("symbol-version-too-new")
                  .at(0)
                  .fix,
              testing::StartsWith("leave foo/libstdc++.so.6 out of the wheel"));
}

TEST(SymbolVersionTooNew, DoesNotCallANodeWithoutANumberAboveAnything) {
  EXPECT_EQ(run({"libc.so.6", "GLIBC_ABI_DT_RELR", {}})[0].message,
            "requires GLIBC_ABI_DT_RELR of libc.so.6, which manylinux_2_17_x86_64 does not allow");
  EXPECT_EQ(run({"libc.so.6", "GLIBC_2.2.6", {"f"}})[0].message,
            "requires GLIBC_2.2.6 of libc.so.6 for f, which manylinux_2_17_x86_64 does not allow");
}

TEST(SymbolVersionTooNew, NamesTheHighestOfEachLibraryFirstAndGlibcBeforeOthers) {
  Scene scene = one_module();
  for (const auto& [library, version] :
       {std::pair{"libstdc++.so.6", "CXXABI_1.3.9"}, std::pair{"libstdc++.so.6", "CXXABI_1.3.13"},
        std::pair{"libc.so.6", "GLIBC_2.34"}, std::pair{"libc.so.6", "GLIBC_2.38"}})
    scene.requires_at(module_so, VersionRequirement{library, version, {"f"}}, before_2_28);
  std::vector<std::string> versions;
  for (const Finding& finding : scene.run("symbol-version-too-new")) versions.push_back(evidence(finding, "version"));
  EXPECT_THAT(versions, testing::ElementsAre("GLIBC_2.38", "CXXABI_1.3.13", "GLIBC_2.34", "CXXABI_1.3.9"));
}

TEST(SymbolVersionTooNew, LeavesPrivateNodesToTheirOwnRule) {
  EXPECT_TRUE(run({"libc.so.6", "GLIBC_PRIVATE", {"__nss_configure"}}, everywhere).empty());
}

TEST(SymbolVersionTooNew, NamesTheImageOfTheTagAndNotANewerOne) {
  const auto image = [](const std::string& tag, Arch arch) {
    Scene scene(WheelBuilder("foo-1.0-cp311-cp311-" + tag + ".whl").elf(ElfBuilder(module_so).arch(arch)).build(),
                arch);
    scene.requires_at(module_so, VersionRequirement{"libc.so.6", "GLIBC_2.99", {"f"}}, everywhere);
    return scene.run("symbol-version-too-new").at(0).fix;
  };
  EXPECT_EQ(image("manylinux_2_34_x86_64", Arch::x86_64), "build in the manylinux_2_34_x86_64 image");
  EXPECT_EQ(image("manylinux_2_28_aarch64", Arch::aarch64), "build in the manylinux_2_28_aarch64 image");
  EXPECT_EQ(image("manylinux_2_34_armv7l", Arch::armv7l), "build in the manylinux_2_31_armv7l image");
  Claim old;
  old.tag = parse_platform_tag("manylinux1_x86_64");
  EXPECT_EQ(rules::image_for({&old}),
            "in the manylinux2014_x86_64 image, the oldest that gets updates, and claim its tag");
  old.tag = parse_platform_tag("manylinux_2_24_x86_64");
  EXPECT_EQ(rules::image_for({&old}), "in the manylinux2014_x86_64 image");
  EXPECT_EQ(image("manylinux_2_34_riscv64", Arch::riscv64), "build on a system with glibc 2.34 or older");
}

}  // namespace
}  // namespace wheelcheck::test::symbol_version_too_new_test
