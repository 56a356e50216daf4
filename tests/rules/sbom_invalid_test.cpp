#include "tests/rules/scene.h"

namespace wheelcheck::test::sbom_invalid_test {
namespace {

TEST(SbomInvalid, FiresForWhatTheReaderNoted) {
  const Scene scene(WheelBuilder(wheel_2_17).edit([](WheelFacts& wheel) {
    wheel.flaws.push_back({WheelArea::Sbom, MemberIndex{0}, "foo-1.0.dist-info/sboms/x.json", "lists no components"});
  }));
  const auto findings = scene.run("sbom-invalid");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message, "lists no components");
}

TEST(SbomInvalid, IsSilentWithoutSuchAFlaw) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).member("foo-1.0.dist-info/sboms/x.cdx.json")).run("sbom-invalid").empty());
}

std::vector<Finding> listing(const SbomPart& part, const std::string& library) {
  return Scene(WheelBuilder(wheel_2_17)
                   .member("foo-1.0.dist-info/sboms/auditwheel.cdx.json")
                   .elf(ElfBuilder(library))
                   .edit([&](WheelFacts& facts) {
                     facts.sboms.push_back({.member = MemberIndex{0}, .tool = "auditwheel", .parts = {part}});
                   }))
      .run("sbom-invalid");
}

TEST(SbomInvalid, NamesALibraryThatIsNotThere) {
  const SbomPart file{.name = "/usr/lib64/libgone.so.1", .purl = {}, .is_file = true};
  const auto findings = listing(file, "foo.libs/libz-01234567.so.1");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "names libgone.so.1, and the wheel contains no such library");
  const SbomPart package{.name = "libgomp", .purl = "pkg:rpm/almalinux/libgomp@8.5.0"};
  ASSERT_EQ(listing(package, module_so).size(), 1U);
  EXPECT_EQ(listing(package, module_so)[0].message, "names libgomp, and the wheel contains no such library");
}

TEST(SbomInvalid, IsSilentWhereTheLibraryIsThere) {
  EXPECT_TRUE(listing({.name = "libz.so.1", .purl = {}, .is_file = true}, "foo.libs/libz-01234567.so.1").empty());
  EXPECT_TRUE(listing({.name = "src/main.c", .purl = {}, .is_file = true}, module_so).empty());
  const SbomPart package{.name = "krb5-libs", .purl = "pkg:rpm/almalinux/krb5-libs@1.0"};
  EXPECT_TRUE(listing(package, "foo.libs/libk5crypto-01234567.so.3").empty()) << "the names need not resemble";
}

// depthai 3.12.0: the firmware is an archive in one of its libraries.
TEST(SbomInvalid, IsSilentAboutFilesOfAnotherPackage) {
  const auto run = [](std::vector<std::string> files) {
    Sbom sbom{.member = MemberIndex{0}, .tool = "x", .parts = {}};
    for (std::string& file : files) sbom.parts.push_back({.name = std::move(file), .purl = {}, .is_file = true});
    return Scene(WheelBuilder(wheel_2_17)
                     .member("foo-1.0.dist-info/sboms/x.spdx.json")
                     .elf(ElfBuilder(module_so))
                     .edit([&](WheelFacts& facts) { facts.sboms.push_back(sbom); }))
        .run("sbom-invalid");
  };
  const std::string own(base_name(module_so));
  EXPECT_TRUE(run({"./libfirmware.so", "./scripts/start.sh", "./gate"}).empty());
  EXPECT_EQ(run({"./libfirmware.so", "./scripts/start.sh", "./gate", own}).size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test::sbom_invalid_test
