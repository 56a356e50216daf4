#include "rules/policy/tags.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::tag_not_installable_test {
namespace {

std::vector<Finding> findings(const std::string& platform) {
  return Scene(WheelBuilder("foo-1.0-cp311-cp311-" + platform + ".whl").elf(ElfBuilder(module_so)))
      .run("tag-not-installable");
}

TEST(TagNotInstallable, NamesTheSpellingOfLinux) {
  for (const auto& [wrong, right] :
       std::initializer_list<std::pair<const char*, const char*>>{{"linux_amd64", "linux_x86_64"},
                                                                  {"manylinux_2_28_amd64", "manylinux_2_28_x86_64"},
                                                                  {"manylinux2014_arm64", "manylinux2014_aarch64"},
                                                                  {"musllinux_1_2_arm64", "musllinux_1_2_aarch64"},
                                                                  {"manylinux_2_17_i386", "manylinux_2_17_i686"}}) {
    const auto found = findings(wrong);
    ASSERT_EQ(found.size(), 1U) << wrong;
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_THAT(found[0].fix, testing::HasSubstr(std::string("--platform-tag ") + right + " ")) << wrong;
  }
}

TEST(TagNotInstallable, FiresOnWhatNoInstallerLooksFor) {
  for (const char* const wrong :
       {"plan9_x86_64", "manylinux_2_99999999999999999999_x86_64", "manylinux_2_82_x86_64", "manylinux1_aarch64",
        "manylinux_2_17_mips64", "manylinux2014", "musllinux_2_1_x86_64"})
    EXPECT_EQ(findings(wrong).size(), 1U) << wrong;
}

TEST(TagNotInstallable, IsSilentOnTagsOfInstallersAndOfOtherSystems) {
  for (const char* const right :
       {"manylinux1_x86_64", "manylinux2010_i686", "manylinux2014_ppc64le", "manylinux_2_39_riscv64", "linux_x86_64",
        "linux_armv6l", "linux_mips64", "musllinux_1_2_x86_64", "android_21_arm64_v8a", "any", "win_amd64",
        "macosx_11_0_arm64", "ios_13_0_arm64_iphoneos", "pyodide_2024_0_wasm32"})
    EXPECT_TRUE(findings(right).empty()) << right;
}

}  // namespace
}  // namespace wheelcheck::test::tag_not_installable_test
