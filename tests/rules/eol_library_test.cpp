#include "tests/rules/scene.h"

namespace wheelcheck::test::eol_library_test {
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

TEST(EolLibrary, EachBranchHasItsOwnDay) {
  const auto message = [](const std::string& text) { return run(text).at(0).message; };
  EXPECT_EQ(message("OpenSSL 0.9.8zh 3 Dec 2015"), "contains OpenSSL 0.9.8zh, end of life since 2015-12-31");
  EXPECT_EQ(message("OpenSSL 1.0.1e 11 Feb 2013"), "contains OpenSSL 1.0.1e, end of life since 2016-12-31");
  EXPECT_EQ(message("OpenSSL 1.0.2u  20 Dec 2019"), "contains OpenSSL 1.0.2u, end of life since 2019-12-31");
  EXPECT_EQ(message("OpenSSL 1.1.0l  10 Sep 2019"), "contains OpenSSL 1.1.0l, end of life since 2019-09-11");
  EXPECT_EQ(message("Qt 5.6.0 (x86_64-little_endian-lp64)"), "contains Qt 5.6.0, end of life since 2019-03-16");
  EXPECT_EQ(message("Qt 5.15.2 (x86_64-little_endian-lp64)"), "contains Qt 5.15.2, end of life since 2025-05-26");
}

TEST(EolLibrary, IsLessSureOfADistributorsBuild) {
  const auto findings = run("OpenSSL 1.1.1k  FIPS 25 Mar 2021");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].confidence, Confidence::Low);
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("distributor"));
}

// calimero_client_py_bindings 0.1.5 has Ubuntu's own libcrypto; zeroruntime_teleops 0.1.2 has Debian's, stripped.
TEST(EolLibrary, IsLessSureOfALibraryThatWasCompiledByDebian) {
  const auto severity = [](const char* compiler, const char* certificates) {
    return run(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder("foo.libs/libcrypto-1a2b3c4d.so.3")
                            .says("OpenSSL 3.0.13 30 Jan 2024")
                            .comment(compiler)
                            .edit([&](ElfMember& m) { m.facts.texts.certificate_files = {certificates}; })))
        .at(0)
        .severity;
  };
  constexpr const char *other = "GCC: (GNU) 13.3.0", *usual = "/usr/local/ssl/cert.pem";
  EXPECT_EQ(severity("GCC: (Ubuntu 13.3.0-6ubuntu2~24.04) 13.3.0", usual), Severity::Note);
  EXPECT_EQ(severity(other, "/usr/lib/ssl/cert.pem"), Severity::Note);
  EXPECT_EQ(severity(other, usual), Severity::Warning);
}

// The number of the soname alone would not do: both 3.0 and 3.6 have it.
TEST(EolLibrary, TakesTheVersionOfThePackageThatTheFileIsFrom) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo.libs/libssl-1a2b3c4d.so.3")));
  EXPECT_TRUE(scene.run("eol-library").empty());
  const auto from = [&](const char* version) {
    scene.packages[ElfIndex{0}] = {
        .purl = std::string("pkg:deb/debian/libssl3@") + version + "?arch=amd64&distro=debian-12",
        .name = "libssl3",
        .version = version};
    return scene.run("eol-library");
  };
  EXPECT_TRUE(from("3.5.1-1").empty());
  const auto findings = from("1:3.0.19-1~deb12u2");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains OpenSSL 3.0.19, end of life since 2026-09-07");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].confidence, Confidence::Medium);
  EXPECT_EQ(evidence(findings[0], "found"), "pkg:deb/debian/libssl3@1:3.0.19-1~deb12u2?arch=amd64&distro=debian-12");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("debian-12 still maintains libssl3"));
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
}  // namespace wheelcheck::test::eol_library_test
