#include "tests/rules/scene.h"

namespace wheelcheck::test::generic_top_level_test {
namespace {

std::vector<Finding> run(const std::vector<std::string>& paths, const std::string& file = "foo-1.0-py3-none-any.whl") {
  WheelBuilder wheel(file);
  for (const std::string& path : paths) wheel.member(path);
  return Scene(std::move(wheel)).run("generic-top-level");
}

TEST(GenericTopLevel, NamesEachOnce) {
  const auto findings =
      run({"foo/__init__.py", "tests/__init__.py", "tests/test_foo.py", "include/foo.h", "README.md"});
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "installs README.md, include/, tests/ directly into site-packages, where other wheels have the same name");
  EXPECT_EQ(run({"foo-1.0.data/purelib/docs/conf.py"}).size(), 1U);
  EXPECT_EQ(run({"conftest.py"}).size(), 1U);
  // academic-refchecker 1.2.54 overwrites the project `utils`.
  EXPECT_EQ(run({"foo/__init__.py", "utils/__init__.py", "__version__.py"}).size(), 1U);
}

TEST(GenericTopLevel, NamesOtherTestsBesideAGenericName) {
  EXPECT_EQ(run({"foo/__init__.py", "test/a.py", "test_other/a.py", "test_other/b.py"}).at(0).message,
            "installs test/ directly into site-packages, where other wheels have the same name (and test_other/)");
  EXPECT_TRUE(run({"foo/__init__.py", "test_other/a.py"}).empty());
}

TEST(GenericTopLevel, TheFixFitsWhatIsThere) {
  EXPECT_THAT(run({"foo/__init__.py", "tests/a.py"}).at(0).fix, testing::HasSubstr("packages.find.exclude"));
  EXPECT_THAT(run({"foo/__init__.py", "README.md", "pyproject.toml"}).at(0).fix,
              testing::StartsWith("leave these files out"));
  EXPECT_THAT(run({"src/__init__.py", "src/main.py"}).at(0).fix, testing::HasSubstr("packages.find.where"));
  EXPECT_THAT(run({"src/main.py", "foo/__init__.py"}).at(0).fix, testing::HasSubstr("packages.find.exclude"));
}

// atomr 0.10.1, streaming_crypto 0.1.0rc3
TEST(GenericTopLevel, IsANoteForALicenceAlone) {
  const auto licence = run({"foo/__init__.py", "LICENSE"});
  ASSERT_EQ(licence.size(), 1U);
  EXPECT_EQ(licence[0].severity, Severity::Note);
  EXPECT_THAT(licence[0].fix, testing::HasSubstr("Poetry and maturin: include with format = \"sdist\""));
  EXPECT_EQ(run({"foo/__init__.py", "LICENSE", "README.md"}).at(0).severity, Severity::Warning);
}

TEST(GenericTopLevel, IsSilentInsideAPackageAndInData) {
  EXPECT_TRUE(run({"foo/tests/__init__.py", "foo/README.md", "foo-1.0.data/data/share/foo.txt",
                   "foo-1.0.data/scripts/tests", "foo-1.0.dist-info/licenses/LICENSE", "tools.py", "tests.pth"})
                  .empty());
  EXPECT_TRUE(run({"tools/__init__.py"}, "tools-1.0-py3-none-any.whl").empty());
}

// dalaipy 2.0.2
TEST(GenericTopLevel, IsAnErrorForAPackageWithoutItsDirectory) {
  const auto findings =
      Scene(WheelBuilder("foo-1.0-py3-none-any.whl").member("__init__.py").member("main.py")).run("generic-top-level");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, testing::HasSubstr("`import foo` raises ModuleNotFoundError"));
  for (const char* const other : {"foo/core.py", "foo.py", "foo.abi3.so"}) {
    const auto found =
        Scene(WheelBuilder("foo-1.0-py3-none-any.whl").member("__init__.py").member(other)).run("generic-top-level");
    ASSERT_EQ(found.size(), 1U) << other;
    EXPECT_EQ(found[0].severity, Severity::Warning) << other;
  }
}

}  // namespace
}  // namespace wheelcheck::test::generic_top_level_test
