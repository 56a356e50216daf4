#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

const ElfBuilder bundled("foo.libs/libz-1a2b3c4d.so.1");
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("vendored-without-sbom"); }

TEST(VendoredWithoutSbom, FiresOnceForTheWheel) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(bundled).elf(ElfBuilder("foo.libs/libpng-1a2b3c4d.so.16")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Info);
  EXPECT_EQ(findings[0].message,
            "bundles 2 libraries, but contains no software bill of materials in foo-1.0.dist-info/sboms/");
  EXPECT_EQ(evidence(findings[0], "libraries"), "foo.libs/libpng-1a2b3c4d.so.16, foo.libs/libz-1a2b3c4d.so.1");
}

TEST(VendoredWithoutSbom, IsSilentWithAList) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(bundled).member("foo-1.0.dist-info/sboms/auditwheel.cdx.json")).empty());
  EXPECT_EQ(run(WheelBuilder(wheel_2_17).elf(bundled).member("foo/sboms/auditwheel.cdx.json")).size(), 1U);
}

TEST(VendoredWithoutSbom, IsSilentWithoutGraftedLibraries) {
  EXPECT_TRUE(run(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).elf(ElfBuilder("foo/libown.so"))).empty());
}

}  // namespace
}  // namespace wheelcheck::test
