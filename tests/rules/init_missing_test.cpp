#include "tests/rules/scene.h"

namespace wheelcheck::test::init_missing_test {
namespace {

TEST(InitMissing, FiresOnAFileThatOnlyLooksLikeAModule) {
  const auto found =
      Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).role(PlainLibrary{})).member("foo/__init__.py"))
          .run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note) << "Python code may open it with ctypes";
  EXPECT_THAT(found[0].message, testing::EndsWith("exports no PyInit_ or PyModExport_ function"));
}

// gdlparser 0.0.8: the only file of the wheel.
TEST(InitMissing, IsAnErrorWhereNothingElseCanOpenTheFile) {
  WheelBuilder wheel(wheel_2_17);
  wheel.elf(ElfBuilder("x.cpython-311-x86_64-linux-gnu.so").role(PlainLibrary{}));
  const auto found = Scene(wheel).run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  const auto below = WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).role(PlainLibrary{}));
  EXPECT_EQ(Scene(below).run("init-missing").at(0).severity, Severity::Note);
  EXPECT_THAT(found[0].message, testing::HasSubstr("importing it is an ImportError"));
  wheel.elf(ElfBuilder("foo/libuser.so"));
  EXPECT_EQ(Scene(wheel).run("init-missing").at(0).severity, Severity::Note);
}

TEST(InitMissing, SaysItOnceForManyFiles) {
  WheelBuilder wheel(wheel_2_17);
  wheel.member("foo/__init__.py");
  for (const char* name : {"foo/a.abi3.so", "foo/b.abi3.so", "foo/c.abi3.so"})
    wheel.elf(ElfBuilder(name).role(PlainLibrary{}));
  const auto found = Scene(wheel).run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::StartsWith("3 files are named as extension modules"));
  EXPECT_EQ(evidence(found[0], "files"), "foo/a.abi3.so, foo/b.abi3.so, foo/c.abi3.so");
}

TEST(InitMissing, IsSilentOnModulesAndOnLibraries) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).elf(ElfBuilder("foo/libx.so")))
                  .run("init-missing")
                  .empty());
}

TEST(InitMissing, IsAnErrorForAnInitFunctionOfAnotherName) {
  const auto run = [](const std::string& symbol) {
    return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).exports(symbol))).run("init-missing");
  };
  ASSERT_EQ(run("PyInit_y").size(), 1U);
  EXPECT_EQ(run("PyInit_y")[0].severity, Severity::Error);
  EXPECT_EQ(run("PyInit_y")[0].message, "exports PyInit_y, but importing foo.x calls PyInit_x: ImportError");
  EXPECT_TRUE(run("PyInit_x").empty());
}

TEST(InitMissing, IsAnErrorIfTheFileMakesAModule) {
  WheelBuilder wheel(wheel_2_17);
  wheel.elf(ElfBuilder(module_so).role(PlainLibrary{}).import("PyModule_Create2")).member("foo/__init__.py");
  const auto found = Scene(wheel).run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message,
            "exports no PyInit_ or PyModExport_ function, and it makes a module (PyModule_Create2): ImportError");
  WheelBuilder required = wheel;
  required.elf(ElfBuilder("foo/liby.so").needed(std::string(base_name(module_so))));
  EXPECT_EQ(Scene(required).run("init-missing").at(0).severity, Severity::Note) << "klayout 0.30.12";
  // dlsym also searches the libraries that a file requires.
  wheel.elf(ElfBuilder("foo.libs/libx.so").exports("PyInit_x"));
  EXPECT_TRUE(Scene(wheel).run("init-missing").empty());
}

TEST(InitMissing, IsAnErrorIfThePackageImportsTheFile) {
  const auto severity = [](Reach reach, const char* name, bool opened) {
    WheelBuilder builder(wheel_2_17);
    builder.elf(ElfBuilder(module_so).role(PlainLibrary{})).member("foo/__init__.py").edit([&](WheelFacts& wheel) {
      const auto at = std::ranges::find_if(wheel.members, [](const auto& m) { return m.path.name() == "__init__.py"; });
      PythonFile file{.member = MemberIndex{static_cast<std::uint32_t>(at - wheel.members.begin())}};
      file.events = {{.action = PythonAction::Import, .reach = reach, .name = ".", .names = {name}}};
      file.units = {{.name = "", .first = 0, .count = 1}};
      if (opened) file.calls.push_back({.library = "*/" + std::string(base_name(module_so))});
      wheel.python.push_back(std::move(file));
      wheel.all_python = true;
    });
    return Scene(builder).run("init-missing").at(0).severity;
  };
  EXPECT_EQ(severity(Reach::Certain, "x", false), Severity::Error);
  EXPECT_EQ(severity(Reach::Likely, "x", false), Severity::Note);
  EXPECT_EQ(severity(Reach::Certain, "y", false), Severity::Note);
  EXPECT_EQ(severity(Reach::Certain, "x", true), Severity::Note);
}

// drake 1.51.1: drake/__init__.py beside drake.cpython-311-x86_64-linux-gnu.so, which ctypes opens.
TEST(InitMissing, IsANoteIfAPackageOfThatNameIsFoundFirst) {
  const auto severity = [](const std::string& package) {
    WheelBuilder builder(wheel_2_17);
    builder.elf(ElfBuilder(module_so).role(PlainLibrary{})).member("foo/__init__.py").member(package);
    builder.edit([&](WheelFacts& wheel) {
      PythonFile file{.member = *find_member(wheel.members, "foo/__init__.py"), .calls = {}, .names = {}};
      file.events = {{.action = PythonAction::Import, .reach = Reach::Certain, .name = ".", .names = {"x"}}};
      file.units = {{.name = "", .first = 0, .count = 1}};
      wheel.python.push_back(std::move(file));
      wheel.all_python = true;
    });
    return Scene(builder).run("init-missing").at(0).severity;
  };
  EXPECT_EQ(severity("foo/y/__init__.py"), Severity::Error);
  EXPECT_EQ(severity("foo/x/__init__.py"), Severity::Note);
}

TEST(InitMissing, IsAnErrorForAFunctionOfPython2) {
  const auto run = [](const std::string& tag, const char* import = "Py_InitModule4_64") {
    const auto role = ExtensionModule{.module = "foo.x", .python_major = 2};
    const auto file = ElfBuilder(module_so).role(role).exports("initx").import(import);
    return Scene(WheelBuilder(tag).elf(file)).run("init-missing");
  };
  EXPECT_EQ(run(wheel_2_17, "abort").at(0).severity, Severity::Note) << "gaussianblur 1.1.2";
  ASSERT_EQ(run(wheel_2_17).size(), 1U);
  EXPECT_EQ(run(wheel_2_17)[0].severity, Severity::Error);
  EXPECT_TRUE(run("foo-1.0-cp27-cp27mu-manylinux_2_17_x86_64.whl").empty());
}

// pynvvideocodec 2.2.4 and pygpukit 0.2.19.
TEST(InitMissing, IsANoteIfCodeMayGiveTheModuleAnotherName) {
  const auto severity = [](std::vector<std::pair<std::string, std::vector<std::string>>> imports) {
    WheelBuilder builder(wheel_2_17);
    builder.elf(ElfBuilder(module_so).exports("PyInit_y")).edit([&](WheelFacts& wheel) {
      PythonFile file{.member = MemberIndex{0}, .calls = {}, .names = {}};
      for (auto& [name, names] : imports)
        file.events.push_back({.action = PythonAction::Import, .name = name, .names = names});
      wheel.python.push_back(std::move(file));
      wheel.all_python = true;
    });
    return Scene(builder).run("init-missing").at(0).severity;
  };
  EXPECT_EQ(severity({{"importlib.util", {}}}), Severity::Note);
  EXPECT_EQ(severity({{"importlib", {"util"}}}), Severity::Note);
  EXPECT_EQ(severity({{"importlib", {}}}), Severity::Error);
  EXPECT_EQ(severity({{"importlib.util", {}}, {"foo", {"x"}}}), Severity::Error);
  EXPECT_EQ(severity({{"importlib.util", {}}, {"foo.x", {}}}), Severity::Error);
}

}  // namespace
}  // namespace wheelcheck::test::init_missing_test
