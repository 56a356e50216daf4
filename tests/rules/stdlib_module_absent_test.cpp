#include "rules/archive/stdlib_modules.h"
#include "tests/rules/python_project.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> standard(const Project& project) { return findings_of("stdlib-module-absent", project); }

TEST(StdlibModuleAbsent, IsAnErrorForAModuleThatIsTooNew) {
  const auto found = standard({{{"tomllib"}}, ">=3.9"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "line 1 imports tomllib, which CPython before 3.11 does not have: `import foo` raises ModuleNotFoundError "
            "there, and Requires-Python is >=3.9");
  EXPECT_EQ(evidence(found[0], "CPython without it"), "3.9 to 3.10");
  EXPECT_TRUE(standard({{{"tomllib"}}, ">=3.11"}).empty());
  EXPECT_TRUE(standard({{{"tomllib"}}}).empty()) << "no release is promised";
  EXPECT_TRUE(standard({{{"tomllib"}}, ">=3.9", {"tomllib; python_version < '3.11'"}}).empty());
}

// jaxtyping 0.2.35, sanic-jinja2 0.10.0, chess-tuning-tools 0.7.3
TEST(StdlibModuleAbsent, KnowsNamesOfModules) {
  const auto typing = standard({{{.name = "typing", .names = {"Any", "ParamSpec"}}}, ">=3.9"});
  ASSERT_EQ(typing.size(), 1U);
  check_words(typing[0]);
  EXPECT_EQ(typing[0].severity, Severity::Error);
  EXPECT_EQ(typing[0].message,
            "line 1 imports typing.ParamSpec, which CPython before 3.10 does not have: `import foo` raises ImportError "
            "there, and Requires-Python is >=3.9");
  EXPECT_THAT(typing[0].fix, testing::HasSubstr("typing_extensions"));
  EXPECT_TRUE(standard({{{.name = "typing", .names = {"Any", "ParamSpec"}}}, ">=3.10"}).empty());
  const auto mapping = standard({{{.name = "collections", .names = {"Mapping"}}}, ">=3.7"});
  ASSERT_EQ(mapping.size(), 1U);
  EXPECT_EQ(mapping[0].severity, Severity::Warning);
  EXPECT_THAT(mapping[0].fix, testing::HasSubstr("collections.abc"));
  EXPECT_TRUE(standard({{{.name = "collections.abc", .names = {"Mapping"}}}, ">=3.7"}).empty());
  EXPECT_EQ(standard({{{.name = "importlib.metadata", .names = {"version"}}}, ">=3.7"}).size(), 1U);
  EXPECT_EQ(standard({{{.name = "importlib", .names = {"metadata"}}}, ">=3.7"}).size(), 1U);
  EXPECT_EQ(standard({{{.name = "urllib", .names = {"urlencode"}}}, ">=3.7"}).size(), 1U);
}

// mlxtend 0.23.0: mlxtend/__init__.py imports nothing, and users import mlxtend.frequent_patterns.
TEST(StdlibModuleAbsent, KnowsPackagesInsideOfThePackage) {
  const auto in = [](const std::string& file) {
    return standard({.imports = {{"distutils.version"}}, .requires_python = ">=3.6", .file = file});
  };
  const auto found = in("foo/patterns/__init__.py");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("`import foo.patterns` raises ModuleNotFoundError"));
  for (const char* const other : {"foo/_private/__init__.py", "foo/tests/__init__.py", "foo/patterns.py"})
    EXPECT_TRUE(in(other).empty()) << other;
}

TEST(StdlibModuleAbsent, KnowsForWhichPythonsAWheelWithMachineCodeIs) {
  const auto of = [](const std::string& tags, const std::string& module) {
    return standard({.imports = {{module}}, .wheel = "foo-1.0-" + tags + "-manylinux_2_17_x86_64.whl"});
  };
  EXPECT_EQ(of("cp312-cp312", "distutils").size(), 1U);
  EXPECT_TRUE(of("cp311-cp311", "distutils").empty());
  EXPECT_EQ(of("cp310-cp310", "tomllib").size(), 1U) << "the tag names the release";
  EXPECT_TRUE(of("cp311-cp311", "tomllib").empty());
  EXPECT_EQ(of("cp39-abi3", "tomllib").size(), 1U);
  EXPECT_EQ(of("py38-none", "distutils").size(), 1U) << "3.12 takes it too";
}

TEST(StdlibModuleAbsent, IsAWarningForAModuleThatWasRemoved) {
  const auto found = standard({{{"distutils.version"}, {"imp"}}, ">=3.6"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::StartsWith("line 1 imports distutils, which CPython 3.12 and newer do not"));
  EXPECT_EQ(evidence(found[0], "also"), "imp (foo/__init__.py:2)");
  EXPECT_THAT(standard({{{"urllib2"}}}).at(0).message, testing::HasSubstr("only CPython 2 has"));
}

TEST(StdlibModuleAbsent, IsAnErrorWhereNoClaimedPythonHasTheModule) {
  EXPECT_EQ(standard({{{"distutils"}}, ">=3.12"}).at(0).severity, Severity::Error);
  EXPECT_EQ(standard({{{.name = "collections", .names = {"Mapping"}}}, ">=3.10"}).at(0).severity, Severity::Error);
  EXPECT_EQ(standard({{{"urllib2"}}}).at(0).severity, Severity::Error);
  EXPECT_EQ(standard({.imports = {{"urllib2"}}, .wheel = "foo-1.0-py2.py3-none-any.whl"}).at(0).severity,
            Severity::Warning);
}

// cinecli 0.1.2: its script imports cinecli.config, which `import cinecli` does not.
TEST(StdlibModuleAbsent, NamesTheScriptThatImportsTheModule) {
  const auto of_script = [](const std::string& object) {
    return standard({.imports = {{"tomllib"}},
                     .requires_python = ">=3.9",
                     .file = "foo/config.py",
                     .scripts = {{"other", "foo.present:main"}, {"bar", object}}});
  };
  ASSERT_EQ(of_script("foo.config:main").size(), 1U);
  EXPECT_THAT(of_script("foo.config:main")[0].message,
              testing::HasSubstr(": the script bar raises ModuleNotFoundError there"));
  EXPECT_TRUE(of_script("foo.present:main").empty());
}

TEST(StdlibModuleAbsent, IsSilentWhereEveryClaimedPythonHasTheModuleOrMayHaveIt) {
  EXPECT_TRUE(standard({{{"sys"}, {"os.path"}, {".core"}, {"six"}}, ">=3.6"}).empty());
  EXPECT_TRUE(standard({{{"imp"}}, "<3.12"}).empty());
  EXPECT_TRUE(standard({{{"distutils"}}, ">=3.6", {"setuptools"}}).empty());
  EXPECT_TRUE(standard({{{"cgi"}}, "", {"legacy-cgi"}}).empty());
  EXPECT_TRUE(standard({.imports = {{"urllib2"}}, .wheel = "foo-1.0-py2-none-any.whl"}).empty());
  EXPECT_TRUE(standard({.imports = {{"cgi"}}, .other = "foo/compat/cgi.py"}).empty());
}

TEST(StdlibModules, AreFoundByName) {
  EXPECT_EQ(rules::find_stdlib_module("six"), nullptr);
  EXPECT_EQ(rules::find_stdlib_module(""), nullptr);
  for (const std::string_view name : {"BaseHTTPServer", "_winreg", "abc", "zoneinfo", "sys", "xml"})
    EXPECT_NE(rules::find_stdlib_module(name), nullptr) << name;
  EXPECT_EQ(rules::find_stdlib_module("tomllib")->since, 11);
  EXPECT_EQ(rules::find_stdlib_module("imp")->until, 12);
}

}  // namespace
}  // namespace wheelcheck::test
