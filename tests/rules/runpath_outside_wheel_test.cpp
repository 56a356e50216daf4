#include "tests/rules/scene.h"

namespace wheelcheck::test::runpath_outside_wheel_test {
namespace {

std::vector<Finding> run(const ElfBuilder& elf) {
  return Scene(WheelBuilder(wheel_2_17).elf(elf)).run("runpath-outside-wheel");
}

TEST(RunpathOutsideWheel, FiresForDirectoriesOfABuildTree) {
  const auto findings = run(ElfBuilder(module_so).runpath("$ORIGIN/../_solib_k8/_U_S").runpath("$ORIGIN/../foo.libs"));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "RUNPATH has $ORIGIN/../_solib_k8/_U_S, a directory of a build tree");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_EQ(findings[0].fix, "patchelf --set-rpath '$ORIGIN/../foo.libs' " + module_so);
}

TEST(RunpathOutsideWheel, FiresWhereThePathClimbsOutOfSitePackages) {
  // Installed as lib/python3.11/site-packages/foo/x.so.
  for (const char* element : {"$ORIGIN/../../build", "$ORIGIN/../../../../../../out", "${ORIGIN}/../.."}) {
    const auto findings = run(ElfBuilder(module_so).rpath(element));
    ASSERT_EQ(findings.size(), 1U) << element;
    EXPECT_THAT(findings[0].message, testing::HasSubstr("outside of the directories that wheels install to"));
  }
}

TEST(RunpathOutsideWheel, HasTheCommandOfTheOtherFindings) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder(module_so)
                           .needed("libbar.so.1")
                           .runpath("$ORIGIN/../_solib_k8")
                           .runpath("$ORIGIN/../../up")
                           .runpath("lib")
                           .runpath("$ORIGIN")
                           .runpath("$ORIGIN"))
                  .elf(ElfBuilder("foo.libs/libbar.so.1").soname("libbar.so.1")));
  NeededFound& found = scene.needed(module_so, "libbar.so.1");
  found.found = Found::Outside;
  found.how = How::None;
  found.unreached = *found.provider;
  found.provider.reset();
  const std::string command = "patchelf --set-rpath '$ORIGIN/../foo.libs:$ORIGIN' " + module_so;
  for (const char* rule : {"runpath-outside-wheel", "needed-unresolvable", "runpath-bloat", "runpath-relative"})
    EXPECT_EQ(scene.run(rule).at(0).fix, command) << rule;
}

TEST(RunpathOutsideWheel, IsSilentForThisWheelItsSiblingsAndThePrefix) {
  for (const char* element : {"$ORIGIN", "$ORIGIN/", "$ORIGIN/../foo.libs", "$ORIGIN/../nvidia/cublas/lib",
                              "$ORIGIN/../../../../lib", "$ORIGIN/../../../", "/usr/lib", "lib", ""})
    EXPECT_TRUE(run(ElfBuilder(module_so).runpath("$ORIGIN").runpath(element)).empty()) << element;
}

TEST(RunpathOutsideWheel, TellsOfManyFilesOnce) {
  const ElfBuilder one = ElfBuilder("foo/a.so").runpath("$ORIGIN/../../up"),
                   two = ElfBuilder("foo/b.so").runpath("$ORIGIN/x.runfiles/y");
  const auto findings = Scene(WheelBuilder(wheel_2_17).elf(one).elf(two)).run("runpath-outside-wheel");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "2 files have search paths with directories of a build tree, such as $ORIGIN/x.runfiles/y");
  EXPECT_EQ(evidence(findings[0], "files"), "foo/a.so, foo/b.so");
}

TEST(RunpathOutsideWheel, IsQuickForThousandsOfElements) {
  ElfBuilder elf(module_so);
  elf.edit([](ElfMember& m) {
    static const std::vector<std::string> names = [] {
      std::vector<std::string> out;
      for (int i = 0; i < 100'000; ++i) out.push_back("$ORIGIN/_solib_k8/" + std::to_string(i));
      return out;
    }();
    m.facts.dynamic->search.runpath.assign(names.begin(), names.end());
  });
  EXPECT_THAT(run(elf).at(0).message, testing::HasSubstr("and 99999 more"));
}

}  // namespace
}  // namespace wheelcheck::test::runpath_outside_wheel_test
