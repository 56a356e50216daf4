#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::module_missing_test {
namespace {

const std::string platform = "foo_bar-1.0-py3-none-manylinux_2_17_s390x.whl";

struct Import {
  std::string file, name;  // `name` in line 3 of the file
  std::vector<std::string> names = {};
  std::uint32_t attempt = no_python_index;
  Reach reach = Reach::Certain;
};

std::vector<Finding> findings(const Import& import, const std::string& other = "foo_bar/present.py",
                              const std::string& file = platform, const std::vector<std::string>& needs = {}) {
  WheelBuilder builder(file);
  builder.member("foo_bar/__init__.py").member(other);
  if (import.file != "foo_bar/__init__.py") builder.member(import.file);
  WheelFacts wheel = builder.build();
  PythonFile python;
  for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
    if (wheel.members[i].path.text() == import.file) python.member = MemberIndex{i};
  python.units.push_back({.name = "", .first = 0, .count = 1});
  python.events.push_back({.action = PythonAction::Import,
                           .reach = import.reach,
                           .line = 3,
                           .attempt = import.attempt,
                           .name = import.name,
                           .names = import.names});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  wheel.metadata = Metadata{.name = "foo_bar", .version = "1.0", .requires_dist = needs};
  return Scene(std::move(wheel)).run("module-missing");
}

const std::string init = "foo_bar/__init__.py";

TEST(ModuleMissing, IsAnErrorWhereTheImportOfThePackageFails) {
  for (const Import& import :
       {Import{init, ".core", {"f"}}, Import{init, ".", {"core"}}, Import{init, "foo_bar.core"}}) {
    const auto found = findings(import);
    ASSERT_EQ(found.size(), 1U) << import.name;
    check_words(found[0]);
    EXPECT_EQ(found[0].severity, Severity::Error);
    EXPECT_THAT(found[0].message, testing::HasSubstr("line 3 imports"));
    EXPECT_THAT(found[0].message, testing::HasSubstr("`import foo_bar` raises ImportError"));
  }
}

// vnpyrs 0.2.1: PyO3 puts vnpyrs.trader.constant into sys.modules.
TEST(ModuleMissing, IsSilentAboutWhatAModuleInRustMayRegister) {
  const auto with = [](const ElfBuilder& elf, const std::string& file = "foo/__init__.py") {
    WheelFacts wheel = WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_s390x.whl")
                           .elf(elf)
                           .member("foo/__init__.py")
                           .member("foo/cli.py")
                           .build();
    PythonFile python{.member = MemberIndex{0}, .calls = {}, .names = {}};
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == file) python.member = MemberIndex{i};
    python.units.push_back({.name = "", .first = 0, .count = 1});
    python.events.push_back({.action = PythonAction::Import, .line = 3, .name = "foo.trader"});
    wheel.python.push_back(std::move(python));
    wheel.all_python = true;
    return Scene(std::move(wheel)).run("module-missing").size();
  };
  const std::string module = "foo/foo.cpython-311-s390x-linux-gnu.so";
  EXPECT_EQ(with(ElfBuilder(module).comment("rustc version 1.85.0")), 0U);
  EXPECT_EQ(with(ElfBuilder(module)), 1U);
  EXPECT_EQ(with(ElfBuilder(module).comment("rustc version 1.85.0"), "foo/cli.py"), 1U);
  EXPECT_EQ(with(ElfBuilder("other/x.cpython-311-s390x-linux-gnu.so").comment("rustc version 1.85.0")), 1U);
}

// `python -m foo_bar` starts __main__.py; nobody is known to import the other file.
TEST(ModuleMissing, IsLessWhereNoImportReachesTheFile) {
  const auto started = findings({"foo_bar/__main__.py", "._cli", {"main"}});
  ASSERT_EQ(started.size(), 1U);
  EXPECT_EQ(started[0].severity, Severity::Warning);
  EXPECT_THAT(started[0].message, testing::HasSubstr("importing this file raises ImportError"));
  const auto found = findings({"foo_bar/catalog.py", "._cli", {"main"}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
}

// aestetik 0.1.0: `import aestetik` runs aestetik/AESTETIK.py, which imports three packages that are missing.
TEST(ModuleMissing, IsAnErrorInAModuleThatThePackageImports) {
  WheelFacts wheel =
      WheelBuilder(platform).member("foo_bar/__init__.py").member("foo_bar/a.py").member("foo_bar/main.py").build();
  const auto add = [&](std::string_view path, std::string name) {
    PythonFile python{.member = *find_member(wheel.members, path)};
    python.units.push_back({.name = "", .first = 0, .count = 1});
    python.events.push_back({.action = PythonAction::Import, .line = 3, .name = std::move(name)});
    wheel.python.push_back(std::move(python));
  };
  add("foo_bar/__init__.py", ".main");
  add("foo_bar/a.py", ".unused");
  add("foo_bar/main.py", "foo_bar.data");
  wheel.all_python = true;
  wheel.metadata = Metadata{.name = "foo_bar", .version = "1.0"};
  const auto found = Scene(std::move(wheel)).run("module-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(std::get<AtPath>(found[0].place).path, "foo_bar/main.py");
  EXPECT_THAT(found[0].message, testing::HasSubstr("`import foo_bar` raises ImportError"));
  EXPECT_EQ(evidence(found[0], "also missing"), ".unused");
}

TEST(ModuleMissing, IsSilentWhereTheModuleIsThereOrNotNeeded) {
  EXPECT_TRUE(findings({init, ".core", {"f"}}, "foo_bar/core.py").empty());
  EXPECT_TRUE(findings({init, ".", {"core"}}, "foo_bar/core/x.py").empty()) << "a package without __init__.py";
  EXPECT_TRUE(findings({init, ".", {"*"}}).empty());
  EXPECT_TRUE(findings({init, ".core", {"f"}, 0}).empty()) << "in a try";
  EXPECT_TRUE(findings({init, ".core", {"f"}, no_python_index, Reach::Likely}).empty()) << "under a condition";
  EXPECT_TRUE(findings({init, "other.core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/x.py", ".", {"name"}}).empty()) << "a name of __init__.py";
}

TEST(ModuleMissing, ACompiledModuleMayDefineModules) {
  const std::string wheel = "foo_bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl";
  EXPECT_EQ(findings({init, "._core.io"}, "foo_bar/x.py", wheel).size(), 1U);
  EXPECT_TRUE(findings({init, "._core.io"}, "foo_bar/_core.abi3.so", wheel).empty());
  // av 18.1.0: foo_bar/x.py is the source of the module.
  EXPECT_TRUE(findings({"foo_bar/x.py", ".absent"}, "foo_bar/x.abi3.so", wheel).empty());
  EXPECT_EQ(findings({"foo_bar/x.py", ".absent"}, "foo_bar/xy.abi3.so", wheel).size(), 1U);
  EXPECT_TRUE(findings({init, ".sub.io"}, "foo_bar/sub/__init__.cpython-311-x86_64-linux-gnu.so", wheel).empty());
}

// cantera 3.2.0: cantera/_utils.pyi, which cantera/_cantera.so defines. obstore 0.12.1: exceptions/__init__.pyi.
TEST(ModuleMissing, ACompiledModuleMayDefineWhatHasStubsAlone) {
  const auto of = [](const std::string& stub, const std::string& compiled, const Import& import) {
    WheelFacts wheel = WheelBuilder("foo_bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                           .member("foo_bar/__init__.py")
                           .member(stub)
                           .member(compiled)
                           .build();
    PythonFile package;
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == init) package.member = MemberIndex{i};
    package.units = {{.name = "", .first = 0, .count = 1}};
    package.events = {{.action = PythonAction::Import, .name = import.name, .names = import.names}};
    wheel.python = {package};
    wheel.all_python = true;
    wheel.metadata = Metadata{.name = "foo_bar", .version = "1.0", .requires_dist = {}};
    return Scene(std::move(wheel)).run("module-missing").size();
  };
  const Import utils{init, "._utils", {"f"}};
  EXPECT_EQ(of("foo_bar/_utils.pyi", "foo_bar/_core.abi3.so", utils), 0U);
  EXPECT_EQ(of("foo_bar/_others.pyi", "foo_bar/_core.abi3.so", utils), 1U);
  EXPECT_EQ(of("foo_bar/_utils.pyi", "foo_bar.libs/libcore.so", utils), 1U);
  EXPECT_EQ(of("foo_bar/space/__init__.pyi", "foo_bar/_core.abi3.so", {init, "foo_bar.space", {"Error"}}), 0U);
  EXPECT_EQ(of("foo_bar/x.py", "foo_bar/foo_mono_ext.abi3.so", {init, "foo_bar.mono", {"x"}}), 0U) << "mitsuba 3.1.1";
  EXPECT_EQ(of("foo_bar/x.py", "foo_bar/foo_mono_ext.abi3.so", {init, "foo_bar.stereo", {"x"}}), 1U);
}

// imgui_bundle 1.93.0: __init__.py takes a module from the compiled one and puts it into sys.modules.
TEST(ModuleMissing, APackageMayPublishAModuleOfItsCompiledOne) {
  const auto of = [](const std::string& from, const std::string& name) {
    WheelFacts wheel = WheelBuilder("foo_bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                           .member("foo_bar/__init__.py")
                           .member("foo_bar/_core.abi3.so")
                           .member("foo_bar/nb.py")
                           .build();
    PythonFile package, user;
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      (wheel.members[i].path.text() == "foo_bar/nb.py" ? user : package).member = MemberIndex{i};
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == init) package.member = MemberIndex{i};
    package.units = {{.name = "", .first = 0, .count = 2}};
    package.events = {{.action = PythonAction::Import, .reach = Reach::Likely, .name = from, .names = {name}},
                      {.action = PythonAction::Import, .name = "foo_bar.nb"}};
    user.units = {{.name = "", .first = 0, .count = 1}};
    user.events = {{.action = PythonAction::Import, .name = "foo_bar.hello", .names = {"f"}}};
    wheel.python = {package, user};
    wheel.all_python = true;
    wheel.metadata = Metadata{.name = "foo_bar", .version = "1.0", .requires_dist = {}};
    return Scene(std::move(wheel)).run("module-missing").size();
  };
  EXPECT_EQ(of("foo_bar._core", "hello"), 0U);
  EXPECT_EQ(of("._core", "hello"), 0U);
  EXPECT_EQ(of("._core", "world"), 1U);
  EXPECT_EQ(of(".nb", "hello"), 1U);
}

// pipenv_pipes 0.5.0: the only script cannot start.
TEST(ModuleMissing, IsAnErrorWhereAScriptCannotStart) {
  WheelFacts wheel = WheelBuilder(platform).member("foo_bar/__init__.py").member("foo_bar/cli.py").build();
  PythonFile python{.member = *find_member(wheel.members, "foo_bar/cli.py")};
  python.units.push_back({.name = "", .first = 0, .count = 1});
  python.events.push_back({.action = PythonAction::Import, .line = 3, .name = ".picker"});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  wheel.scripts = {{.name = "pipes", .object = "foo_bar.cli:pipes"}};
  const auto found = Scene(std::move(wheel)).run("module-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_THAT(found[0].message, testing::HasSubstr("the script pipes raises ImportError"));
}

TEST(ModuleMissing, LeavesTestsTemplatesAndDirectoriesThatAreNoPackages) {
  EXPECT_TRUE(findings({"foo_bar/tests/__init__.py", ".core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/templates/__init__.py", ".core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/data/x.py", ".core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/{{name}}/__init__.py", ".core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/_vendor/__init__.py", ".core"}).empty());
  EXPECT_TRUE(findings({"foo_bar/core_test.py", ".core"}).empty());
}

// headroom-ai 0.20.13: headroom/transforms/error_detection.py imports headroom._core, which is not built.
TEST(ModuleMissing, KnowsThePackageWithTheBeginningOfTheName) {
  const auto with = [](const std::string& module, const std::vector<std::string>& needs = {},
                       const std::string& in_init = "os") {
    WheelFacts wheel = WheelBuilder("foo_ai-1.0-py3-none-manylinux_2_17_s390x.whl")
                           .member("foo/__init__.py")
                           .member("foo/x.py")
                           .build();
    for (const auto& [path, name] :
         {std::pair<std::string, std::string>{"foo/__init__.py", in_init}, {"foo/x.py", module}}) {
      PythonFile python{.member = *find_member(wheel.members, path)};
      python.units.push_back({.name = "", .first = 0, .count = 1});
      python.events.push_back({.action = PythonAction::Import, .line = 3, .name = name});
      wheel.python.push_back(std::move(python));
    }
    wheel.all_python = true;
    wheel.metadata = Metadata{.name = "foo-ai", .version = "1.0", .requires_dist = needs};
    return Scene(std::move(wheel)).run("module-missing");
  };
  ASSERT_EQ(with("foo._core").size(), 1U);
  EXPECT_THAT(with("foo._core")[0].fix, testing::HasSubstr("compiled module"));
  EXPECT_THAT(with("foo.core")[0].fix, testing::HasSubstr("find_packages()"));
  EXPECT_TRUE(with("bar._core").empty());
  EXPECT_TRUE(with("foo._core", {"foo>=1"}).empty());
  EXPECT_TRUE(with("foo._core", {"foo-core"}).empty());
  EXPECT_TRUE(with("foo._core", {}, "pkgutil").empty()) << "a package of several distributions";
}

TEST(ModuleMissing, LeavesModulesThatOthersDefine) {
  // mitsuba 3.1.1: mitsuba/__init__.py adds mitsuba/python to its __path__.
  EXPECT_TRUE(findings({"foo_bar/python/__init__.py", "foo_bar.util"}, "foo_bar/python/util.py").empty());
  EXPECT_EQ(findings({"foo_bar/python/__init__.py", ".missing"}, "foo_bar/python/util.py").size(), 1U);
  EXPECT_EQ(findings({"foo_bar/python/__init__.py", "foo_bar.util"}, "foo_bar/other/util.py").size(), 1U);
  EXPECT_TRUE(findings({init, "foo_bar.six.moves"}, "foo_bar/six.py").empty());
  EXPECT_TRUE(findings({init, "foo_bar.six.moves.urllib"}, "foo_bar/six/__init__.py").empty());
  EXPECT_TRUE(findings({init, ".extern.six"}, "foo_bar/_vendor/six.py").empty()) << "a hook of pkg_resources.extern";
  EXPECT_TRUE(findings({init, ".extern.six.moves"}, "foo_bar/_vendor/six.py").empty());
  EXPECT_EQ(findings({init, ".extern.six"}, "foo_bar/_vendor/seven.py").size(), 1U);
}

TEST(ModuleMissing, LeavesWheelsThatRequireAPartOfThePackage) {
  EXPECT_TRUE(findings({init, ".core"}, "foo_bar/x.py", platform, {"foo-bar-core>=1"}).empty());
  const std::vector<std::string> extra = {"foo-bar-core; extra == \"core\""};
  EXPECT_EQ(findings({init, ".core"}, "foo_bar/x.py", platform, extra).size(), 1U);
}

TEST(ModuleMissing, IsSilentWhereTheTagsNameNoPlatformOfLinux) {
  for (const char* const tags : {"py3-none-any", "cp311-cp311-win_amd64", "cp311-cp311-macosx_11_0_arm64"})
    EXPECT_TRUE(findings({init, "._core"}, "foo_bar/x.py", fmt::format("foo_bar-1.0-{}.whl", tags)).empty()) << tags;
}

TEST(ModuleMissing, NamesACompiledModuleFirst) {
  WheelFacts wheel = WheelBuilder(platform).member("foo_bar/__init__.py").build();
  PythonFile python{.member = *find_member(wheel.members, "foo_bar/__init__.py")};
  python.units.push_back({.name = "", .first = 0, .count = 2});
  for (const char* const name : {".data", "._core"})
    python.events.push_back({.action = PythonAction::Import, .line = 3, .name = name});
  wheel.python.push_back(std::move(python));
  wheel.all_python = true;
  const auto found = Scene(std::move(wheel)).run("module-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("line 3 imports ._core,"));
  EXPECT_EQ(evidence(found[0], "also missing"), ".data");
}

}  // namespace
}  // namespace wheelcheck::test::module_missing_test
