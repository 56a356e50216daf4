#include "tests/rules/scene.h"

namespace wheelcheck::test::certificate_path_test {
namespace {

constexpr const char* red_hats = "/etc/pki/tls/certs/ca-bundle.crt";
constexpr const char* debians = "/etc/ssl/certs/ca-certificates.crt";

constexpr const char* curl = "foo.libs/libcurl-1a2b3c4d.so.4";
constexpr const char* crypto = "foo.libs/libcrypto-1a2b3c4d.so.3";

WheelBuilder with(std::vector<std::string> paths, const std::string& library = curl, const char* import = "puts") {
  return WheelBuilder(wheel_2_17)
      .elf(ElfBuilder(library)
               .needed(library == curl ? "libssl-1a2b3c4d.so.3" : "libc.so.6")
               .facts([=](ElfFacts& facts, StringPool& pool) {
                 for (const std::string& path : paths) facts.texts.certificate_files.push_back(pool.add(path));
               }))
      .elf(ElfBuilder(module_so).import(import));
}
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("certificate-path"); }

TEST(CertificatePath, NamesTheFileAndTheSystemsThatHaveIt) {
  const auto findings = run(with({red_hats}));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "looks for certificates in /etc/pki/tls/certs/ca-bundle.crt, which only Red Hat's systems have (AlmaLinux, "
            "Fedora, RHEL): HTTPS fails on other systems");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(run(with({debians})).at(0).message, testing::HasSubstr("only Debian, Ubuntu, Alpine and Arch Linux"));
  EXPECT_THAT(run(with({"/usr/local/etc/ca-bundle.crt"})).at(0).message, testing::HasSubstr("the build machine had"));
}

// ifm3dpy 1.6.16: its curl speaks http and ws alone.
TEST(CertificatePath, IsSilentForCurlWithoutTls) {
  const WheelBuilder wheel =
      WheelBuilder(wheel_2_17).elf(ElfBuilder(curl).needed("libz.so.1").facts([](ElfFacts& facts, StringPool& pool) {
        facts.texts.certificate_files.push_back(pool.add(red_hats));
      }));
  EXPECT_TRUE(run(wheel).empty());
}

TEST(CertificatePath, IsSilentForPlacesOfSeveralSystems) {
  EXPECT_TRUE(run(with({red_hats, debians})).empty());
  EXPECT_TRUE(run(with({"/etc/ssl/ca-bundle.crt"})).empty());
}

TEST(CertificatePath, IsSilentForOpensslWhoseDefaultsNobodyUses) {
  EXPECT_TRUE(run(with({"/etc/pki/tls/cert.pem"}, crypto)).empty());
  const auto used = run(with({"/etc/pki/tls/cert.pem"}, crypto, "SSL_CTX_set_default_verify_paths"));
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0].severity, Severity::Note);
}

// This program names such files, and opens none.
TEST(CertificatePath, IsSilentForFilesWithoutCurlAndOpenssl) {
  EXPECT_TRUE(run(with({red_hats}, "foo/libother.so.1")).empty());
}

TEST(CertificatePath, IsSilentWherePythonCodeSetsIt) {
  EXPECT_TRUE(
      run(with({red_hats}).edit([](WheelFacts& wheel) { wheel.metadata->requires_dist = {"certifi"}; })).empty());
  EXPECT_TRUE(run(with({red_hats}).edit([](WheelFacts& wheel) {
                PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
                file.variables.push_back({.name = "SSL_CERT_FILE"});
                wheel.python.push_back(std::move(file));
              })).empty());
}

}  // namespace
}  // namespace wheelcheck::test::certificate_path_test
