#include "tests/rules/scene.h"

namespace wheelcheck::test::vendored_without_sbom_test {
namespace {

const ElfBuilder bundled("foo.libs/libz-1a2b3c4d.so.1");
std::vector<Finding> run(const WheelBuilder& wheel) { return Scene(wheel).run("vendored-without-sbom"); }

TEST(VendoredWithoutSbom, FiresOnceForTheWheel) {
  const auto findings = run(WheelBuilder(wheel_2_17).elf(bundled).elf(ElfBuilder("foo.libs/libpng-1a2b3c4d.so.16")));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
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

// A wheel whose SBOM is of `tool` and lists `parts`, with these bundled libraries.
std::vector<Finding> listed(const std::string& tool, const std::vector<SbomPart>& parts,
                            const std::vector<std::string>& libraries) {
  WheelBuilder wheel = WheelBuilder(wheel_2_17).member("foo-1.0.dist-info/sboms/x.cdx.json");
  for (const std::string& library : libraries) wheel.elf(ElfBuilder("foo.libs/" + library));
  return run(wheel.edit([&](WheelFacts& facts) {
    for (std::uint32_t i = 0; i < facts.members.size(); ++i)
      if (facts.members[i].path.name() == "x.cdx.json")
        facts.sboms.push_back({.member = MemberIndex{i}, .tool = tool, .parts = parts});
  }));
}
SbomPart rpm(const std::string& name) { return {.name = name, .purl = "pkg:rpm/almalinux/" + name + "@1.0"}; }

TEST(VendoredWithoutSbom, NamesWhatTheListLeavesOut) {
  const auto findings = listed("auditwheel", {{.name = "foo", .purl = "pkg:pypi/foo@1.0"}, rpm("libgomp")},
                               {"libgomp-01234567.so.1", "libfoocore-01234567.so.2"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains a bundled library that no software bill of materials of the wheel names");
  EXPECT_EQ(evidence(findings[0], "libraries"), "foo.libs/libfoocore-01234567.so.2");
}

TEST(VendoredWithoutSbom, CountsPackagesWhoseNamesDoNotFit) {
  const std::vector<SbomPart> two{rpm("abc-libs"), rpm("abc-libs")};
  EXPECT_TRUE(listed("auditwheel", two, {"libone-01234567.so.3", "libtwo-01234567.so.3"}).empty())
      << "auditwheel lists one package for each file";
  const auto findings =
      listed("auditwheel", two, {"libone-01234567.so.3", "libtwo-01234567.so.3", "libown-01234567.so.1"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "contains a bundled library that no software bill of materials of the wheel names");
  EXPECT_EQ(evidence(findings[0], "among"),
            "foo.libs/libone-01234567.so.3, foo.libs/libown-01234567.so.1, foo.libs/libtwo-01234567.so.3");
}

TEST(VendoredWithoutSbom, IsSilentWhereAnotherToolNamesTheLibraries) {
  EXPECT_TRUE(listed("syft", {{.name = "FreeType"}, {.name = "libjpeg / libjpeg-turbo"}, {.name = "libstdc++"}},
                     {"libfreetype-01234567.so.6.1", "libjpeg-01234567.so.62", "libstdc++-01234567.so.6"})
                  .empty());
  EXPECT_EQ(
      listed("cargo-cyclonedx", {{.name = "serde", .purl = "pkg:cargo/serde@1.0"}}, {"libgcc_s-01234567.so.1"}).size(),
      1U);
}

}  // namespace
}  // namespace wheelcheck::test::vendored_without_sbom_test
