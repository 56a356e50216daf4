#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

constexpr const char* red_hats = "/etc/pki/tls/certs/ca-bundle.crt";
constexpr const char* debians = "/etc/ssl/certs/ca-certificates.crt";

WheelBuilder with(std::vector<std::string> paths, const char* import = "puts") {
  static std::vector<std::vector<std::string>> kept;  // the facts are views
  static const auto reserved = (kept.reserve(64), 0);
  static_cast<void>(reserved);
  const std::vector<std::string>& texts = kept.emplace_back(std::move(paths));
  return WheelBuilder(wheel_2_17)
      .elf(ElfBuilder("foo.libs/libcurl-1a2b3c4d.so.4"))
      .elf(ElfBuilder(module_so).import(import))
      .edit([&texts](WheelFacts& wheel) {
        for (const std::string& text : texts)
          wheel.elfs[elf_at(wheel, "foo.libs/libcurl-1a2b3c4d.so.4").value].facts.texts.certificate_files.push_back(
              text);
      });
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

TEST(CertificatePath, IsSilentForPlacesOfSeveralSystems) {
  EXPECT_TRUE(run(with({red_hats, debians})).empty());
  EXPECT_TRUE(run(with({"/etc/ssl/ca-bundle.crt"})).empty());
}

TEST(CertificatePath, IsSilentForOpensslWhoseDefaultsNobodyUses) {
  EXPECT_TRUE(run(with({"/etc/pki/tls/cert.pem"})).empty());
  const auto used = run(with({"/etc/pki/tls/cert.pem"}, "SSL_CTX_set_default_verify_paths"));
  ASSERT_EQ(used.size(), 1U);
  EXPECT_EQ(used[0].severity, Severity::Note);
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
}  // namespace wheelcheck::test
