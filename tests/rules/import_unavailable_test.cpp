#include <algorithm>

#include "rules/archive/stdlib_modules.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

struct Import {
  std::string name;
  Reach reach = Reach::Certain;
  std::uint32_t attempt = no_python_index, condition = no_python_index;
};
struct Project {
  std::vector<Import> imports;
  std::string requires_python = "";
  std::vector<std::string> requires_dist = {};
  std::string file = "foo/__init__.py";  // the one with the imports, from line 1 on
  std::string other = "foo/present.py";
  std::string wheel = "foo-1.0-py3-none-any.whl";
};

std::vector<Finding> findings(const std::string& rule, const Project& project) {
  WheelBuilder builder(project.wheel);
  builder.member(project.file);
  if (project.file != "foo/__init__.py") builder.member("foo/__init__.py");
  builder.member(project.other);
  WheelFacts wheel = builder.build();
  PythonFile python;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == project.file) python.member = MemberIndex{i};
  python.units.push_back({.name = "", .first = 0, .count = static_cast<std::uint32_t>(project.imports.size())});
  for (const Import& import : project.imports)
    python.events.push_back({.action = PythonAction::Import,
                             .reach = import.reach,
                             .line = static_cast<std::uint32_t>(python.events.size() + 1),
                             .condition = import.condition,
                             .attempt = import.attempt,
                             .name = import.name});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  wheel.metadata = Metadata{.name = "foo",
                            .version = "1.0",
                            .requires_python = project.requires_python,
                            .requires_dist = project.requires_dist};
  return Scene(std::move(wheel)).run(rule);
}
std::vector<Finding> required(const Project& project) { return findings("requirement-missing", project); }
std::vector<Finding> standard(const Project& project) { return findings("stdlib-module-absent", project); }

// readerwriterlock 1.0.5
TEST(RequirementMissing, NamesTheModuleAndTheImport) {
  const auto found = required({{{"os.path"}, {"typing_extensions"}, {"numpy.linalg"}}});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].message,
            "line 2 imports typing_extensions, which no requirement in METADATA provides: in a new environment `import "
            "foo` raises ModuleNotFoundError");
  EXPECT_EQ(evidence(found[0], "also"), "numpy");
  EXPECT_THAT(required({.imports = {{"six"}}, .file = "bar.py"}).at(0).message, testing::HasSubstr("`import bar`"));
  EXPECT_EQ(required({.imports = {{"six"}}, .requires_dist = {"pytest; extra == 'test'"}}).size(), 1U);
}

// confuse 2.2.0: pyyaml requires nothing.
TEST(RequirementMissing, KnowsWhatCommonRequirementsProvide) {
  const auto with = [](const std::string& module, const std::vector<std::string>& requirements) {
    return required({.imports = {{module}}, .requires_dist = requirements}).size();
  };
  EXPECT_EQ(with("typing_extensions", {"pyyaml"}), 1U);
  EXPECT_EQ(with("typing_extensions", {"PyYAML>=5", "pywin32; sys_platform == 'win32'"}), 1U);
  EXPECT_EQ(with("yaml", {"pyyaml"}), 0U);
  EXPECT_EQ(with("six", {"pandas>=1"}), 0U);
  EXPECT_EQ(with("six", {"requests[socks]"}), 0U);
  EXPECT_EQ(with("typing_extensions", {"pyyaml", "unknown"}), 0U);
}

// readerwriterlock 1.0.5: `from readerwriterlock import rwlock`, and __init__.py imports nothing.
TEST(RequirementMissing, CountsWhatMostFilesImport) {
  const auto found = required({.imports = {{"six"}}, .file = "foo/lock.py", .other = "README"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("in a new environment importing this file raises"));
}

TEST(RequirementMissing, IsSilentWhereTheModuleMayBeThere) {
  EXPECT_TRUE(required({.imports = {{"six"}}, .requires_dist = {"flask"}}).empty()) << "it may require six";
  EXPECT_TRUE(required({.imports = {{"six"}}, .other = "foo/_vendor/six.py"}).empty());
  EXPECT_TRUE(required({.imports = {{"six"}}, .file = "foo/unused.py"}).empty()) << "one of two files";
  EXPECT_TRUE(required({.imports = {{"six"}}, .file = "setup.py"}).empty());
  for (const std::string name : {".core", "foo.core", "sys", "distutils.core", "urllib2", "_ctypes", "bpy", "gi"})
    EXPECT_TRUE(required({{{name}}}).empty()) << name;
  EXPECT_TRUE(required({{{"six", Reach::Possible}}}).empty());
  EXPECT_TRUE(required({{{.name = "six", .attempt = 0}}}).empty());
  EXPECT_TRUE(required({{{.name = "six", .condition = 0}}}).empty());
}

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

TEST(StdlibModuleAbsent, IsAWarningForAModuleThatWasRemoved) {
  const auto found = standard({{{"distutils.version"}, {"imp"}}, ">=3.6"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::StartsWith("line 1 imports distutils, which CPython 3.12 and newer do not"));
  EXPECT_EQ(evidence(found[0], "also"), "imp (foo/__init__.py:2)");
  EXPECT_THAT(standard({{{"urllib2"}}}).at(0).message, testing::HasSubstr("only CPython 2 has"));
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
