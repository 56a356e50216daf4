#include "tests/rules/scene.h"

namespace wheelcheck::test::library_often_absent_test {
namespace {

std::vector<Finding> required(const std::string& library, const std::string& newest_unmet,
                              const std::string& file = module_so) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(file).needed(library)));
  return scene.requires_at(file, LibraryRequirement{library}, newest_unmet).run("library-often-absent");
}

TEST(LibraryOftenAbsent, IsAWarningForALibraryThatEveryLevelAllows) {
  for (const char* library : {"libatomic.so.1", "libGL.so.1", "libglib-2.0.so.0"}) {
    const auto findings = required(library, nowhere);
    ASSERT_EQ(findings.size(), 1U) << library;
    EXPECT_EQ(findings[0].severity, Severity::Warning);
    EXPECT_EQ(evidence(findings[0], "library"), library);
  }
}

TEST(LibraryOftenAbsent, DoesNotAdviseToBundleTheGraphicsDriver) {
  EXPECT_THAT(required("libatomic.so.1", nowhere).at(0).fix, testing::StartsWith("bundle libatomic.so.1"));
  EXPECT_THAT(required("libGL.so.1", nowhere).at(0).fix, testing::StartsWith("name the package of libGL.so.1"));
}

TEST(LibraryOftenAbsent, IsANoteForWhatNoModuleLoads) {
  const auto findings = required("libGL.so.1", nowhere, "foo/plugins/libqxcb.so");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

TEST(LibraryOftenAbsent, IsSilentForMinimalSystemsAndForLibrariesThatNoLevelAllows) {
  for (const char* library : {"libc.so.6", "libm.so.6", "libstdc++.so.6", "libgcc_s.so.1", "libz.so.1"})
    EXPECT_TRUE(required(library, nowhere).empty()) << library;
  EXPECT_TRUE(required("libtiff.so.6", everywhere).empty());
}

}  // namespace
}  // namespace wheelcheck::test::library_often_absent_test
