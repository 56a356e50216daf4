#include "tests/rules/scene.h"

namespace wheelcheck::test::build_tree_packed_test {
namespace {

std::vector<Finding> findings(const WheelBuilder& wheel) { return Scene(wheel).run("build-tree-packed"); }

// echaim 1.0.9 (CMakeFiles/, cmake-build-debug/), python_quant_lib 0.13.0 (68 MB of objects), nni 2.10.1 (node-gyp)
TEST(BuildTreePacked, NamesTheDirectoriesAndTheirSize) {
  const auto found = findings(WheelBuilder(wheel_2_17)
                                  .elf(ElfBuilder("foo/CMakeFiles/3.22.1/CompilerIdC/a.out"))
                                  .elf(ElfBuilder("foo/cmake-build-debug/foo_test"))
                                  .member("foo/CMakeFiles/foo.dir/x.o")
                                  .edit([](WheelFacts& wheel) {
                                    for (MemberFacts& member : wheel.members) member.size = 1'000'000;
                                  }));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].message,
            "contains directories of a build: foo/CMakeFiles/ and 1 more with 3 files, 3.0 MB unpacked");
  EXPECT_EQ(evidence(found[0], "directories"), "foo/CMakeFiles/, foo/cmake-build-debug/");
}

TEST(BuildTreePacked, IsANoteForAFewTexts) {
  EXPECT_EQ(findings(WheelBuilder(wheel_2_17).member("foo/CMakeFiles/x.cmake")).at(0).severity, Severity::Note);
}

TEST(BuildTreePacked, IsSilentForOtherDirectories) {
  EXPECT_TRUE(findings(WheelBuilder(wheel_2_17)
                           .elf(ElfBuilder("foo/build/tool"))
                           .member("foo/MyCMakeFiles/x.cmake")
                           .member("foo/CMakeFiles"))
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::build_tree_packed_test
