#include "tests/rules/scene.h"

namespace wheelcheck::test::private_version_node_test {
namespace {

std::vector<Finding> run(const std::string& name, const ElfBuilder& elf) {
  return Scene(WheelBuilder(name).elf(elf)).run("private-version-node");
}

TEST(PrivateVersionNode, NamesTheSymbol) {
  const auto findings =
      run(wheel_2_17, ElfBuilder(module_so).import("__nss_configure_lookup", "libc.so.6", "GLIBC_PRIVATE"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(
      findings[0].message,
      "requires GLIBC_PRIVATE of libc.so.6 for __nss_configure_lookup, a private interface that any build of glibc "
      "may change");
  EXPECT_EQ(evidence(findings[0], "symbols"), "__nss_configure_lookup");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(PrivateVersionNode, IsSilentAboutPublicNodes) {
  EXPECT_TRUE(run(wheel_2_17, ElfBuilder(module_so).import("memcpy", "libc.so.6", "GLIBC_2.14")).empty());
}

TEST(PrivateVersionNode, LooksAtTheLoaderToo) {
  EXPECT_EQ(
      run(wheel_2_17, ElfBuilder(module_so).import("_dl_get_tls_static_info", "ld-linux-x86-64.so.2", "GLIBC_PRIVATE"))
          .size(),
      1U);
}

TEST(PrivateVersionNode, LeavesOtherLibrariesTheirPrivateNodes) {
  EXPECT_TRUE(run(wheel_2_17, ElfBuilder(module_so).import("f", "libfoo.so.1", "FOO_PRIVATE")).empty());
}

TEST(PrivateVersionNode, IsAWarningWithoutAGlibcClaimAndForAWeakNeed) {
  const ElfBuilder elf = ElfBuilder(module_so).import("f", "libc.so.6", "GLIBC_PRIVATE");
  EXPECT_EQ(run("foo-1.0-cp311-cp311-linux_x86_64.whl", elf).at(0).severity, Severity::Warning);
  EXPECT_EQ(run(wheel_2_17, ElfBuilder(module_so).need("libc.so.6", "GLIBC_PRIVATE", true)).at(0).severity,
            Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test::private_version_node_test
