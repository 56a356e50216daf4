#include "tests/rules/scene.h"

namespace wheelcheck::test::suffix_mismatch_test {
namespace {

std::vector<Finding> findings(const std::string& tags, const std::string& suffix) {
  return Scene(WheelBuilder("foo-1.0-" + tags + ".whl").elf(ElfBuilder("foo/x" + suffix))).run("suffix-mismatch");
}

TEST(SuffixMismatch, FiresOnAnotherVersion) {
  const auto found = findings("cp311-cp311-manylinux_2_17_x86_64", ".cpython-310-x86_64-linux-gnu.so");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("ends in .cpython-310-x86_64-linux-gnu.so"));
  EXPECT_EQ(findings("cp313-cp313t-manylinux_2_17_x86_64", ".cpython-313-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_EQ(findings("cp313-cp313-manylinux_2_17_x86_64", ".cpython-313t-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_EQ(findings("cp39-abi3-manylinux_2_17_x86_64", ".cpython-38-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_EQ(findings("pp310-pypy310_pp73-manylinux_2_17_x86_64", ".pypy39-pp73-x86_64-linux-gnu.so").size(), 1U);
}

TEST(SuffixMismatch, FiresOnAnotherMachineOrLibc) {
  EXPECT_EQ(findings("cp311-cp311-manylinux_2_17_aarch64", ".cpython-311-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_EQ(findings("cp311-cp311-manylinux_2_17_x86_64", ".cpython-311-x86_64-linux-musl.so").size(), 1U);
  EXPECT_EQ(findings("cp311-cp311-musllinux_1_2_x86_64", ".cpython-311-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_TRUE(findings("cp310-cp310-musllinux_1_2_x86_64", ".cpython-310-x86_64-linux-gnu.so").empty())
      << "before 3.11";
}

TEST(SuffixMismatch, FiresOnTheStableAbiOfTheOtherBuild) {
  EXPECT_EQ(findings("cp313-cp313t-manylinux_2_17_x86_64", ".abi3.so").size(), 1U);
  EXPECT_EQ(findings("cp311-cp311-manylinux_2_17_x86_64", ".abi3t.so").size(), 1U);
  EXPECT_EQ(findings("cp314-cp314t-manylinux_2_17_x86_64", ".abi3t.so").size(), 1U) << "since 3.15";
  EXPECT_TRUE(findings("cp315-cp315-manylinux_2_17_x86_64", ".abi3t.so").empty()) << "builds with the GIL find it";
}

TEST(SuffixMismatch, KnowsTheStableAbiWithATriplet) {
  const std::string gnu = ".abi3-x86_64-linux-gnu.so";
  EXPECT_TRUE(findings("cp315-cp315-manylinux_2_17_x86_64", gnu).empty());
  EXPECT_TRUE(findings("cp315-abi3-manylinux_2_17_x86_64", gnu).empty());
  EXPECT_TRUE(findings("cp315-cp315t-manylinux_2_17_x86_64", ".abi3t-x86_64-linux-gnu.so").empty());
  EXPECT_EQ(findings("cp315-cp315t-manylinux_2_17_x86_64", gnu).size(), 1U);
  EXPECT_EQ(findings("cp315-abi3-manylinux_2_17_aarch64", gnu).size(), 1U);
  EXPECT_EQ(findings("cp315-abi3-musllinux_1_2_x86_64", gnu).size(), 1U);
  EXPECT_THAT(findings("cp314-cp314-manylinux_2_17_x86_64", gnu).at(0).message, testing::StartsWith("no interpreter"));
  const auto late = findings("cp39-abi3-manylinux_2_17_x86_64", gnu);
  ASSERT_EQ(late.size(), 1U);
  EXPECT_EQ(late[0].message,
            "only CPython 3.15 and newer import a file that ends in .abi3-x86_64-linux-gnu.so, but the wheel is tagged "
            "cp39");
  EXPECT_EQ(late[0].fix, "name the file x.abi3.so if it is compiled for the limited API of that version");
  EXPECT_EQ(findings("cp39-abi3-manylinux_2_17_x86_64", ".abi3t.so").size(), 1U);
}

TEST(SuffixMismatch, FiresOnWhatOneVersionOrNoneOfAnAbi3TagFinds) {
  EXPECT_EQ(findings("cp310-abi3-manylinux_2_17_x86_64", ".cpython-314t-x86_64-linux-gnu.so").size(), 1U);
  const auto one = findings("cp37-abi3-manylinux_2_17_x86_64", ".cpython-39-x86_64-linux-gnu.so");
  ASSERT_EQ(one.size(), 1U);
  EXPECT_THAT(one[0].message, testing::StartsWith("only CPython 3.9 imports"));
  const WheelBuilder shims = WheelBuilder("foo-1.0-cp37-abi3-manylinux_2_17_x86_64.whl")
                                 .elf(ElfBuilder("foo/x.cpython-39-x86_64-linux-gnu.so"))
                                 .elf(ElfBuilder("foo/x.cpython-310-x86_64-linux-gnu.so"));
  EXPECT_TRUE(Scene(shims).run("suffix-mismatch").empty());
}

TEST(SuffixMismatch, IsSilentWhereSomeTaggedInterpreterFindsTheFile) {
  for (const auto& [tags, suffix] : std::initializer_list<std::pair<const char*, const char*>>{
           {"cp311-cp311-manylinux_2_17_x86_64", ".cpython-311-x86_64-linux-gnu.so"},
           {"cp37-cp37m-manylinux1_x86_64", ".cpython-37m-x86_64-linux-gnu.so"},
           {"cp313-cp313t-manylinux_2_17_x86_64", ".cpython-313t-x86_64-linux-gnu.so"},
           {"cp311-cp311-manylinux_2_17_x86_64", ".so"},
           {"cp311-cp311-manylinux_2_17_x86_64", ".abi3.so"},
           {"cp37-abi3-manylinux_2_17_x86_64", ".abi3.so"},
           {"py3-none-manylinux_2_17_x86_64", ".cpython-38-x86_64-linux-gnu.so"},
           {"cp315-abi3.abi3t-manylinux_2_17_x86_64", ".abi3t.so"},
           {"cp311-cp311-manylinux_2_17_x86_64.musllinux_1_2_x86_64", ".cpython-311-x86_64-linux-musl.so"},
           {"cp311-cp311-manylinux_2_17_armv7l", ".cpython-311-arm-linux-gnueabihf.so"},
           {"cp311-cp311-manylinux_2_17_i686", ".cpython-311-i386-linux-gnu.so"},
           {"pp310-pypy310_pp73-manylinux_2_17_x86_64", ".pypy310-pp73-x86_64-linux-gnu.so"},
       })
    EXPECT_TRUE(findings(tags, suffix).empty()) << tags << " " << suffix;
}

TEST(SuffixMismatch, IsAWarningBesideAFileThatIsFound) {
  const auto found =
      Scene(
          WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).elf(ElfBuilder("foo/x.cpython-310-x86_64-linux-gnu.so")))
          .run("suffix-mismatch");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
}

// CPython 3.5 and newer: .cpython-311-x86_64-linux-gnu.so; on macOS .cpython-311-darwin.so.
TEST(SuffixMismatch, FiresOnSuffixesOfOtherSystems) {
  const std::string tags = "cp311-cp311-manylinux_2_17_x86_64";
  EXPECT_EQ(findings(tags, ".cpython-311-darwin.so").at(0).severity, Severity::Error);
  EXPECT_EQ(findings(tags, ".cpython-311.so").at(0).severity, Severity::Error);
  EXPECT_TRUE(findings("cp34-cp34m-manylinux1_x86_64", ".cpython-34m.so").empty());
}

std::vector<Finding> lost(const std::string& path, const std::string& installed, const std::string& other = "") {
  WheelBuilder wheel("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  wheel.elf(ElfBuilder(path).edit([&](ElfMember& file) {
    file.role = ExtensionModule{.module = "foo.x", .python_major = 3};
    if (!installed.empty()) file.installed = installed;
  }));
  if (!other.empty()) wheel.elf(ElfBuilder(other));
  return Scene(wheel).run("suffix-mismatch");
}

TEST(SuffixMismatch, FiresOnNamesThatNoInterpreterLooksFor) {
  for (const char* const name : {"x.so.1", "x.pyd", "x.x86_64-linux-gnu.so", "x"}) {
    const auto found = lost(std::string("foo/") + name, "");
    ASSERT_EQ(found.size(), 1U) << name;
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_THAT(found[0].fix, testing::StartsWith("name the file x.so"));
  }
  EXPECT_EQ(lost("foo/x.so.1", "").at(0).message,
            "is an extension module, but no interpreter imports a file that ends in .so.1");
  EXPECT_EQ(lost("foo/x.so.1", "", "foo/y.so").at(0).severity, Severity::Warning);
  EXPECT_TRUE(lost("foo/x.so.1", "", "foo/x.so").empty()) << "quickfix_tls 1.16: a copy, see WC513";
  EXPECT_TRUE(lost("foo/x.graalpy250-311-native-x86_64-linux.so", "").empty());
}

// mpi4py 4.1.2: one build for each MPI.
TEST(SuffixMismatch, IsANoteForBuildsOfWhichThePackageChooses) {
  const std::string suffix = ".cpython-311-x86_64-linux-gnu.so";
  const auto of = [&](const std::string& second) {
    WheelBuilder wheel("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
    for (const std::string& path : {"foo/x.one" + suffix, second})
      wheel.elf(ElfBuilder(path).role(ExtensionModule{.module = "foo.x", .python_major = 3}));
    return Scene(wheel).run("suffix-mismatch").at(0).severity;
  };
  EXPECT_EQ(of("foo/x.two" + suffix), Severity::Note);
  EXPECT_EQ(of("foo/y.two" + suffix), Severity::Error);
  EXPECT_EQ(of("bar/x.two" + suffix), Severity::Error);
  EXPECT_EQ(of("foo/x.two.so.1"), Severity::Error);
}

TEST(SuffixMismatch, FiresOnModulesOutsideOfSitePackages) {
  const auto found = lost("foo-1.0.data/data/foo/x.so", "foo/x.so");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "is an extension module that is installed as foo/x.so, outside of site-packages, where no import finds it");
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(lost("foo-1.0.data/data/foo/x.so", "foo/x.so", "foo/y.so").at(0).severity, Severity::Warning);
  EXPECT_TRUE(
      lost("foo-1.0.data/data/lib/python3.11/site-packages/foo/x.so", "lib/python3.11/site-packages/foo/x.so").empty());
}

}  // namespace
}  // namespace wheelcheck::test::suffix_mismatch_test
