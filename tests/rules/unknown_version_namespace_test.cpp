#include "tests/rules/scene.h"

namespace wheelcheck::test::unknown_version_namespace_test {
namespace {

Scene with_unknown(bool unknown) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
  scene.requires_at(module_so, VersionRequirement{"libz.so.1", "VENDOR_1.2", {"deflate", "inflate"}}, nowhere);
  if (unknown) scene.assessment.unknown_versions.push_back(RequirementIndex{0});
  return scene;
}

TEST(UnknownVersionNamespace, FiresOnAFamilyThatNoPolicyLists) {
  const auto findings = with_unknown(true).run("unknown-version-namespace");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires VENDOR_1.2 of libz.so.1, a version that no policy lists");
  EXPECT_EQ(evidence(findings[0], "symbols"), "deflate, inflate");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].confidence, Confidence::Low);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("list VENDOR under"));
}

TEST(UnknownVersionNamespace, IsAnErrorWhereNoGlibcHasTheVersion) {
  const auto of = [](const std::string& library, const std::string& version) {
    Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)));
    scene.requires_at(module_so, VersionRequirement{library, version, {"free"}}, nowhere);
    scene.assessment.unknown_versions.push_back(RequirementIndex{0});
    return scene.run("unknown-version-namespace").at(0);
  };
  EXPECT_EQ(of("libc.so.6", "glibc_2.5").severity, Severity::Error);
  EXPECT_EQ(of("libc.so.6", "glibc_2.5").message, "requires glibc_2.5 of libc.so.6, a version that no glibc has");
  EXPECT_EQ(of("libc.so.6", "").message, "requires '' of libc.so.6, a version that no glibc has");
  EXPECT_EQ(of("libcrypt.so.1", "XCRYPT_2.0").severity, Severity::Warning);
}

TEST(UnknownVersionNamespace, IsSilentWhereThePolicyKnows) {
  EXPECT_TRUE(with_unknown(false).run("unknown-version-namespace").empty());
}

}  // namespace
}  // namespace wheelcheck::test::unknown_version_namespace_test
