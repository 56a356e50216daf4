#include "tests/rules/set_scene.h"

namespace wheelcheck::test::global_scope_load_test {
namespace {

ElfBuilder exporting_libuv(ElfBuilder elf) {
  for (const char* name : {"uv_loop_init", "uv_run", "uv_close", "uv_read_start", "uv_write"}) elf.exports(name);
  return elf;
}

Scene with(std::vector<PythonCall> calls, const char* library = "foo/lib/libx.so") {
  return Scene(WheelBuilder(wheel_2_17)
                   .member("foo/__init__.py")
                   .elf(exporting_libuv(ElfBuilder(library)))
                   .edit([calls](WheelFacts& wheel) {
                     for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
                       if (wheel.members[i].path.text() == "foo/__init__.py")
                         wheel.python.push_back({.member = MemberIndex{i}, .calls = calls});
                   }));
}

PythonCall opens(Reach reach, bool global = true) {
  return {.call = LoadCall::Cdll,
          .line = 37,
          .library = "*/lib/libx.so",
          .flags = 0x102,
          .global = global,
          .reach = reach,
          .text = "CDLL(path, RTLD_GLOBAL)"};
}

TEST(GlobalScopeLoad, WarnsOfACallAtImport) {
  const Scene scene = with({opens(Reach::Certain)});
  const auto found = scene.run("global-scope-load");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].confidence, Confidence::High);
  EXPECT_EQ(scene.path(found[0]), "foo/__init__.py");
  EXPECT_EQ(
      found[0].message,
      "line 37 opens libx.so with RTLD_GLOBAL, so that its symbols take precedence over those of later libraries");
  EXPECT_EQ(evidence(found[0], "calls"), "line 37, certain: CDLL(path, RTLD_GLOBAL)");
}

// gpt4all 2.8.2: libcudart.so.12 of nvidia-cuda-runtime-cu12.
TEST(GlobalScopeLoad, IsANoteForALibraryThatIsNotOfTheWheel) {
  EXPECT_EQ(with({opens(Reach::Certain)}, "foo/lib/liby.so").run("global-scope-load").at(0).severity, Severity::Note);
}

// pipsipmpp 0.1.1: the names are in a list of the same file.
TEST(GlobalScopeLoad, TakesWhatTheFileNamesForWhatACallOpens) {
  const auto severity_of = [](const char* name) {
    PythonCall call = opens(Reach::Certain);
    call.library.reset();
    Scene scene = with({call});
    scene.wheel.python.front().names = {{name, 30}};
    return scene.run("global-scope-load").at(0).severity;
  };
  EXPECT_EQ(severity_of("libx.so"), Severity::Warning);
  EXPECT_EQ(severity_of("liby.so"), Severity::Note);
}

// The call names the directory; a file of that name elsewhere is another one.
TEST(GlobalScopeLoad, SaysThatTheWalkThroughTheCallsWasCut) {
  Scene scene(WheelBuilder(wheel_2_17).member("foo/__init__.py"));
  call_without_end(scene.wheel, {.call = LoadCall::SetDlopenFlags, .line = 1, .flags = 0x102, .global = true});
  const auto found = scene.run("global-scope-load");
  ASSERT_FALSE(found.empty());
  EXPECT_THAT(found[0].message, testing::HasSubstr("limit of 1000000 steps: which modules get RTLD_GLOBAL"));
}

TEST(GlobalScopeLoad, JudgesTheFileThatTheCallOpens) {
  const auto severity_of = [](const char* harmful, const char* harmless) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .member("foo/__init__.py")
                    .elf(exporting_libuv(ElfBuilder(harmful).soname("libx.so")))
                    .elf(ElfBuilder(harmless).soname("libx.so").exports("own"))
                    .edit([](WheelFacts& wheel) {
                      for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
                        if (wheel.members[i].path.text() == "foo/__init__.py")
                          wheel.python.push_back({.member = MemberIndex{i}, .calls = {opens(Reach::Certain)}});
                    }));
    return scene.run("global-scope-load").at(0).severity;
  };
  EXPECT_EQ(severity_of("foo/lib/libx.so", "foo/old/libx.so"), Severity::Warning);
  EXPECT_EQ(severity_of("foo/old/libx.so", "foo/lib/libx.so"), Severity::Note);
}

TEST(GlobalScopeLoad, IsInformationWhereTheCallMayNeverRun) {
  const auto found = with({opens(Reach::Possible)}).run("global-scope-load");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
}

TEST(GlobalScopeLoad, SpeaksOnceAFileOfItsSurestCall) {
  PythonCall flags{.call = LoadCall::SetDlopenFlags, .line = 50, .global = true, .reach = Reach::Likely};
  flags.text = "sys.setdlopenflags(258)";
  const auto found = with({opens(Reach::Possible), flags}).run("global-scope-load");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::StartsWith("line 50 sets RTLD_GLOBAL"));
  EXPECT_THAT(evidence(found[0], "calls"), testing::HasSubstr("line 37, possible"));
}

// try: from . import _gpu_build / except ImportError: return / ... CDLL(..., RTLD_GLOBAL), in a function that the
// module calls.
Scene behind_a_marker(const char* member, bool called = true) {
  return Scene(WheelBuilder(wheel_2_17).member("foo/__init__.py").member(member).edit([called](WheelFacts& wheel) {
    PythonFile file{.member = {}, .calls = {opens(Reach::Certain)}, .names = {}};
    for (std::uint32_t i = 0; i < wheel.members.size(); ++i)
      if (wheel.members[i].path.text() == "foo/__init__.py") file.member = MemberIndex{i};
    file.units = {{.name = "", .first = 0, .count = 1}, {.name = "preload", .first = 1, .count = 2}};
    file.events = {{.action = PythonAction::Call, .target = 1},
                   {.action = PythonAction::Import, .attempt = 0, .name = ".", .names = {"_gpu_build"}},
                   {.action = PythonAction::Load, .condition = 0, .call = 0}};
    file.conditions = {{.attempt = 0, .succeeds = true}};
    if (!called) {  // nor is the import before the call
      file.events[0].action = PythonAction::Import;
      file.events[2].condition = no_python_index;
    }
    wheel.python.push_back(file);
  }));
}

TEST(GlobalScopeLoad, IsSilentWhereTheWheelLacksTheModuleThatTheCallRequires) {
  EXPECT_TRUE(behind_a_marker("foo/other.py").run("global-scope-load").empty());
  EXPECT_EQ(behind_a_marker("foo/_gpu_build.py").run("global-scope-load").size(), 1U);
  EXPECT_EQ(behind_a_marker("foo/other.py", false).run("global-scope-load").size(), 1U) << "another file may call it";
}

// A file with a function that sets the flags, and one that calls it and imports a module; the facts are written by
// hand.
Scene linked(const ElfBuilder& core) {
  return Scene(
      WheelBuilder(wheel_2_17).member("foo/flags.py").member("foo/load.py").elf(core).edit([](WheelFacts& wheel) {
        PythonCall set{.call = LoadCall::SetDlopenFlags, .line = 41, .flags = {}, .global = true};
        set.text = "sys.setdlopenflags(flags | RTLD_GLOBAL)";
        PythonFile helper{.member = {}, .calls = {set}, .names = {}};
        helper.units = {{.name = "", .first = 0, .count = 0}, {.name = "set_flags", .first = 0, .count = 1}};
        helper.events = {{.action = PythonAction::SetFlags, .line = 41, .call = 0, .bits = 0x100, .known = 0x100}};
        PythonFile user{.member = {}, .calls = {}, .names = {}};
        user.units = {{.name = "", .first = 0, .count = 3}};
        user.events = {{.action = PythonAction::Import, .line = 1, .name = ".", .names = {"flags"}},
                       {.action = PythonAction::Call, .line = 2, .name = ".flags.set_flags"},
                       {.action = PythonAction::Import, .line = 3, .name = ".", .names = {"_core"}}};
        for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
          helper.member = user.member = MemberIndex{i};
          if (wheel.members[i].path.text() == "foo/flags.py") wheel.python.push_back(helper);
          if (wheel.members[i].path.text() == "foo/load.py") wheel.python.push_back(user);
        }
      }));
}

TEST(GlobalScopeLoad, WarnsOfASetterThatAnotherFileCalls) {
  ElfBuilder core = ElfBuilder("foo/_core.so").role(ExtensionModule{"foo._core", 3});
  EXPECT_EQ(linked(core).run("global-scope-load").at(0).severity, Severity::Note) << "it exports nothing of others";
  const Scene scene = linked(exporting_libuv(core));
  const auto found = scene.run("global-scope-load");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(scene.path(found[0]), "foo/flags.py");
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].confidence, Confidence::Medium);
  EXPECT_THAT(found[0].message, testing::StartsWith("line 41 sets RTLD_GLOBAL"));
  EXPECT_THAT(found[0].message, testing::EndsWith("; called by foo/load.py, line 2"));
  EXPECT_EQ(evidence(found[0], "imported with it"), "foo._core");
  EXPECT_THAT(evidence(found[0], "calls"), testing::StartsWith("line 41, likely: "));
}

// ladybug 0.19.0: a function of _backend.py imports _capi.py, which opens a library, or sets the flags and imports the
// extension module. The user's code calls both functions.
Scene two_backends(bool imports_capi) {
  return Scene(WheelBuilder(wheel_2_17)
                   .member("foo/__init__.py")
                   .member("foo/_backend.py")
                   .member("foo/_capi.py")
                   .elf(exporting_libuv(ElfBuilder("foo/_core.so").role(ExtensionModule{"foo._core", 3})))
                   .elf(exporting_libuv(ElfBuilder("foo/lib/libx.so")))
                   .edit([=](WheelFacts& wheel) {
                     PythonCall set{.call = LoadCall::SetDlopenFlags, .line = 21, .flags = {}, .global = true};
                     set.text = "sys.setdlopenflags(RTLD_GLOBAL)";
                     PythonFile init{.member = {}, .calls = {}, .names = {}};
                     init.units = {{.name = "", .first = 0, .count = imports_capi ? 2U : 1U}};
                     init.events = {{.action = PythonAction::Import, .line = 1, .name = "._backend", .names = {"get"}},
                                    {.action = PythonAction::Import, .line = 2, .name = "._capi"}};
                     PythonFile backend{.member = {}, .calls = {set}, .names = {}};
                     backend.units = {{.name = "", .first = 0, .count = 0},
                                      {.name = "get", .first = 0, .count = 2},
                                      {.name = "get_capi", .first = 2, .count = 1}};
                     backend.events = {
                         {.action = PythonAction::SetFlags, .line = 21, .call = 0, .bits = 0x100, .known = 0x100},
                         {.action = PythonAction::Import, .line = 22, .name = "._core"},
                         {.action = PythonAction::Import, .line = 30, .name = "._capi"}};
                     PythonFile capi{.member = {}, .calls = {opens(Reach::Certain)}, .names = {}};
                     capi.units = {{.name = "", .first = 0, .count = 1}};
                     capi.events = {{.action = PythonAction::Load, .line = 37, .call = 0}};
                     for (std::uint32_t i = 0; i < wheel.members.size(); ++i) {
                       init.member = backend.member = capi.member = MemberIndex{i};
                       const std::string& path = wheel.members[i].path.text();
                       if (path == "foo/__init__.py") wheel.python.push_back(init);
                       if (path == "foo/_backend.py") wheel.python.push_back(backend);
                       if (path == "foo/_capi.py") wheel.python.push_back(capi);
                     }
                     wheel.all_python = true;
                   }));
}

TEST(GlobalScopeLoad, IsANoteInAPrivateModuleThatNoImportReaches) {
  const auto severities = [](bool imports_capi) {
    std::map<std::string, std::pair<Severity, std::string>> out;
    const Scene scene = two_backends(imports_capi);
    for (const Finding& found : scene.run("global-scope-load"))
      out[std::string(scene.path(found))] = {found.severity, std::string(evidence(found, "runs on import"))};
    return out;
  };
  EXPECT_EQ(severities(false)["foo/_capi.py"], std::pair(Severity::Note, std::string("possible")));
  EXPECT_EQ(severities(true)["foo/_capi.py"], std::pair(Severity::Warning, std::string("certain")));
}

TEST(GlobalScopeLoad, WarnsOfAFunctionThatAloneImportsAModule) {
  const Scene scene = two_backends(false);
  const auto found = scene.run("global-scope-load");
  const auto at = std::ranges::find_if(found, [&](const Finding& one) { return scene.path(one) == "foo/_backend.py"; });
  ASSERT_NE(at, found.end());
  EXPECT_EQ(at->severity, Severity::Warning);
  EXPECT_EQ(evidence(*at, "imported with it"), "foo._core");
}

TEST(GlobalScopeLoad, IsSilentOnLocalLoads) {
  EXPECT_TRUE(with({opens(Reach::Certain, false)}).run("global-scope-load").empty());
}

TEST(GlobalScopeLoad, OfTwoWheelsSaysWhatItComesTo) {
  SetScene scene;
  scene.conflicts.publications.push_back(
      {.distribution = {0}, .files = {SetScene::alpha}, .exports = 528422, .flags = scene.source()});
  const auto findings = scene.run("global-scope-load");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "alpha puts 1 file with 528422 exports into the global scope");
  EXPECT_EQ(evidence(findings[0], "by"), "alpha/__init__.py:7, certain: sys.setdlopenflags(258)");
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

}  // namespace
}  // namespace wheelcheck::test::global_scope_load_test
