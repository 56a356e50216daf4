#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

// A package whose __init__.py imports `names` from `module` in line 3; foo/core.py has the names `bound`.
struct Package {
  std::string module = ".core", bound = " run ";
  std::vector<std::string> names = {"run"};
  Reach reach = Reach::Certain;
  std::vector<ScriptEntry> scripts = {};
  std::string other = "README";
};

std::vector<Finding> run(const Package& package) {
  WheelFacts wheel = WheelBuilder("foo-1.0-py3-none-any.whl")
                         .member("foo/__init__.py")
                         .member("foo/core.py")
                         .member(package.other)
                         .build();
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
    const std::string path = wheel.members[i].path.text();
    PythonFile file{.member = MemberIndex{i}};
    if (path == "foo/__init__.py") {
      file.bound = " run ";
      file.units.push_back({.name = "", .first = 0, .count = 1});
      file.events.push_back({.reach = package.reach, .line = 3, .name = package.module, .names = package.names});
    } else if (path == "foo/core.py") {
      file.bound = package.bound;
    } else {
      continue;
    }
    wheel.python.push_back(std::move(file));
  }
  wheel.all_python = true;
  wheel.scripts = package.scripts;
  return Scene(std::move(wheel)).run("name-missing");
}

TEST(NameMissing, FiresForANameThatTheModuleDoesNotDefine) {
  const auto found = run({.names = {"run", "stop"}});
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "line 3 imports stop from .core, and foo/core.py does not define it: `import foo` raises ImportError");
  EXPECT_EQ(run({.module = "foo.core", .names = {"stop"}}).size(), 1U);
}

// dotdrop 1.2.0: `dotdrop = dotdrop:main`, and __init__.py has only a docstring.
TEST(NameMissing, FiresForAScriptWithoutItsFunction) {
  const auto found = run({.scripts = {{"foo", "foo:main"}, {"bar", "foo.core:Application.start"}}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "the script foo calls foo:main, which the module does not define: it ends with ImportError");
  EXPECT_EQ(evidence(found[0], "also"), "script bar");
  EXPECT_TRUE(run({.scripts = {{"foo", "foo:run"}, {"bar", "foo.core:run.start"}, {"baz", "foo:core.run"}}}).empty());
  EXPECT_EQ(run({.scripts = {{"foo", "foo:core.main"}}}).size(), 1U) << "wyoming-satellite 1.0.0";
  EXPECT_TRUE(run({.scripts = {{"foo", "other:main"}, {"bar", "foo.none:main"}}}).empty()) << "WC706";
}

TEST(NameMissing, IsSilentWhereTheNameMayBeThere) {
  EXPECT_TRUE(run({}).empty());
  EXPECT_TRUE(run({.bound = " * ", .names = {"stop"}}).empty()) << "from x import *";
  EXPECT_TRUE(run({.bound = "", .names = {"stop"}}).empty()) << "not read";
  EXPECT_TRUE(run({.names = {"*", "__file__"}}).empty());
  EXPECT_TRUE(run({.names = {"stop"}, .reach = Reach::Possible}).empty());
  EXPECT_TRUE(run({.names = {"stop"}, .other = "foo/core.cpython-311-x86_64-linux-gnu.so"}).empty());
  EXPECT_TRUE(run({.module = ".other", .names = {"stop"}}).empty()) << "WC720";
  EXPECT_TRUE(run({.module = ".", .names = {"core"}}).empty());
}

}  // namespace
}  // namespace wheelcheck::test
