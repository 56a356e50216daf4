#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("eol-library"); }
std::vector<Finding> run(const std::string& text) {
  return run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).says(text)));
}

TEST(EolLibrary, NamesTheVersionTheDayAndTheFiles) {
  const std::string text = "OpenSSL 1.1.1w  11 Sep 2023";
  const auto findings = run(WheelBuilder(wheel_2_17)
                                .elf(ElfBuilder("foo.libs/libcrypto-1a2b3c4d.so.1.1").says(text))
                                .elf(ElfBuilder("foo.libs/libssl-1a2b3c4d.so.1.1").says(text)));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].confidence, Confidence::Medium);
  EXPECT_EQ(findings[0].message, "contains OpenSSL 1.1.1w, end of life since 2023-09-11");
  EXPECT_EQ(evidence(findings[0], "files"), "foo.libs/libcrypto-1a2b3c4d.so.1.1, foo.libs/libssl-1a2b3c4d.so.1.1");
  EXPECT_EQ(evidence(findings[0], "found"), text);
  EXPECT_FALSE(evidence(findings[0], "source").empty());
}

TEST(EolLibrary, KnowsTheBordersOfTheTable) {
  EXPECT_EQ(run("OpenSSL 1.0.2u  20 Dec 2019").size(), 1U);
  EXPECT_EQ(run("OpenSSL 3.0.19 27 Jan 2026").size(), 1U);
  EXPECT_EQ(run("OpenSSL 3.4.0 22 Oct 2024").size(), 1U);
  EXPECT_TRUE(run("OpenSSL 3.5.0 8 Apr 2025").empty());
  EXPECT_TRUE(run("OpenSSL 3.5.8 25 Aug 2026").empty());
  EXPECT_TRUE(run("OpenSSL 3.10.0 25 Aug 2028").empty());
  EXPECT_TRUE(run("OpenSSL 4.0.3 29 Sep 2026").empty());
}

TEST(EolLibrary, IsLessSureOfADistributorsBuild) {
  const auto findings = run("OpenSSL 1.1.1k  FIPS 25 Mar 2021");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].confidence, Confidence::Low);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("distributor"));
}

TEST(EolLibrary, IsSilentWhereTheVersionIsNotToldInFull) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo.libs/libssl-1a2b3c4d.so.3"))).empty());
  EXPECT_TRUE(
      run(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo.libs/libssl-1a2b3c4d.so.3").defines("OPENSSL_3.0.0"))).empty());
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo.libs/libssl-1a2b3c4d.so.1.1"))).size(), 1U)
      << "1.1.0 and 1.1.1 are both over";
}

TEST(EolLibrary, IsSilentForLibrariesThatTheTableKnowsNoEndOf) {
  EXPECT_TRUE(run(" deflate 1.2.3 Copyright 1995-2005 Jean-loup Gailly and Mark Adler ").empty());
}

}  // namespace
}  // namespace wheelcheck::test
