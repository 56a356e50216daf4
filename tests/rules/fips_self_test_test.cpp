#include "tests/rules/scene.h"

namespace wheelcheck::test::fips_self_test_test {
namespace {

constexpr const char* red_hats = "OpenSSL 1.1.1k  FIPS 25 Mar 2021";

std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("fips-self-test"); }
WheelBuilder with(const std::string& path, const std::string& text) {
  return WheelBuilder(wheel_2_17).elf(ElfBuilder(path).says(text));
}

TEST(FipsSelfTest, NamesTheVersionAndTheFileThatIsNotThere) {
  const auto findings = run(with("foo.libs/libcrypto-bdaed0ea.so.1.1.1k", red_hats));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(findings[0], "version"), red_hats);
  EXPECT_EQ(evidence(findings[0], "checksum file"), "foo.libs/.libcrypto-bdaed0ea.so.1.1.1k.hmac");
  EXPECT_THAT(findings[0].fix, testing::EndsWith("'import PACKAGE' shows the failure"));
  const auto older = run(with("foo/libcrypto.so.10", "OpenSSL 1.0.2k-fips  26 Jan 2017"));
  ASSERT_EQ(older.size(), 1U);
  EXPECT_THAT(older[0].fix, testing::EndsWith("only on a system with dracut-fips"));
}

TEST(FipsSelfTest, IsSilentWithTheChecksumFile) {
  EXPECT_TRUE(run(with("foo/libcrypto.so.1.1.1k", red_hats).member("foo/.libcrypto.so.1.1.1k.hmac")).empty());
}

TEST(FipsSelfTest, IsSilentForOtherBuildsAndOtherFiles) {
  EXPECT_TRUE(run(with("foo.libs/libcrypto-1a2b3c4d.so.1.1", "OpenSSL 1.1.1w  11 Sep 2023")).empty());
  EXPECT_TRUE(run(with("foo.libs/libcrypto-1a2b3c4d.so.3", "OpenSSL 3.5.1 1 Jul 2025")).empty());
  EXPECT_TRUE(run(with("foo.libs/libssl-1a2b3c4d.so.1.1.1k", red_hats)).empty());
}

}  // namespace
}  // namespace wheelcheck::test::fips_self_test_test
