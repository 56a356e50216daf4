#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "python/read.h"
#include "tests/rules/played.h"
#include "tests/rules/scene.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::opened_library_missing_test {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

WheelBuilder wheel(const std::string& part) {
  WheelBuilder out("ct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  out.elf(ElfBuilder("ct.libs/libcudnn-74a4c495.so.9")
              .import("dlopen")
              .names_library("libcudnn_ops.so.9")
              .names_library("libcuda.so.1"));
  if (!part.empty()) out.elf(ElfBuilder("ct.libs/" + part));
  return out;
}

TEST(OpenedLibraryMissing, NamesThePartThatIsNotThere) {
  for (const std::string part : {"", "libcudnn_ops-1a2b3c4d.so.9"}) {
    const auto findings = Scene(wheel(part)).run("opened-library-missing");
    ASSERT_THAT(findings, SizeIs(1)) << part;
    EXPECT_EQ(findings[0].message, "opens libcudnn_ops.so.9, which the wheel does not contain");
    EXPECT_EQ(findings[0].severity, Severity::Warning);
  }
}

// The 10-bit encoder of x265 can be linked in, and the library works without it.
TEST(OpenedLibraryMissing, IsANoteForOptionalParts) {
  WheelBuilder with("ct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  with.elf(ElfBuilder("ct.libs/libx265-74a4c495.so.199").import("dlopen").names_library("libx265_main10.so"));
  const auto findings = Scene(with).run("opened-library-missing");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Note);
}

// libselinux opens libsepol.so.1, and does without it.
TEST(OpenedLibraryMissing, IsANoteForNamesInMachineCode) {
  const auto of = [](const std::string& name, const std::string& file = "") {
    WheelBuilder with("ct-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
    with.elf(ElfBuilder(module_file("ct/_m")).facts([&](ElfFacts& facts, StringPool&) {
      facts.loader_calls.push_back({.name = name});
    }));
    if (!file.empty()) with.elf(ElfBuilder("ct.libs/" + file));
    return Scene(with).run("opened-library-missing");
  };
  const auto findings = of("libsepol.so.1");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "opens libsepol.so.1 by name, which neither the wheel nor the systems of its tags have");
  EXPECT_EQ(findings[0].severity, Severity::Note);
  EXPECT_THAT(of("libsepol.so.1", "libsepol.so.1"), IsEmpty());
  for (const std::string name : {"", "libm.so.6", "libGL.so.1", "libcuda.so.1", "/opt/own/libown.so", "config.ini"})
    EXPECT_THAT(of(name), IsEmpty()) << name;
}

// A plugin of the project, which the repair tool did not see, unlike a library that has the name of none.
TEST(OpenedLibraryMissing, WarnsOfPartsOfTheProjectInMachineCode) {
  WheelBuilder with("my_solver-1.0-cp311-cp311-manylinux_2_17_x86_64.whl");
  with.elf(ElfBuilder("my_solver/libhost.so").facts([&](ElfFacts& facts, StringPool&) {
    facts.loader_calls.push_back({.name = "libsepol.so.1"});
    facts.loader_calls.push_back({.name = "libMySolver_fast.so.2"});
  }));
  const auto findings = Scene(with).run("opened-library-missing");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].fix, "if the package needs it: wheelcheck repair --bundle libMySolver_fast.so.2");
}

TEST(OpenedLibraryMissing, IsSilentWhereThePartsAreThere) {
  EXPECT_THAT(Scene(wheel("libcudnn_ops.so.9")).run("opened-library-missing"), IsEmpty());
}

// MKL opens its parts beside itself, and ends the process with "Cannot load libmkl_core.so.2" where none is there.
WheelBuilder with_mkl(const std::string& name, const std::string& part = "") {
  WheelBuilder out = wheel_of(name);
  out.elf(ElfBuilder(module_file(name + "/_m"))
              .runpath("$ORIGIN/../" + name + ".libs")
              .needed("libmkl_rt-1a2b3c4d.so.2"))
      .elf(ElfBuilder(name + ".libs/libmkl_rt-1a2b3c4d.so.2")
               .soname("libmkl_rt-1a2b3c4d.so.2")
               .needed("libc.so.6")
               .import("dlopen")
               .names_library("libmkl_core.so.2")
               .names_library("libmkl_gf_lp64.so.2"));
  if (!part.empty()) out.elf(ElfBuilder(part));
  return out;
}

TEST(OpenedLibraryMissing, IsAnErrorWhereTheLibraryEndsTheProcess) {
  const auto findings = Scene(with_mkl("solver")).run("opened-library-missing");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].message,
            "ends the process at its first use: it opens libmkl_core.so.2, which is not beside it");
  EXPECT_EQ(findings[0].fix,
            "exclude Intel oneMKL and require mkl, which has all parts: auditwheel repair --exclude 'libmkl_*.so*'; or "
            "link it statically");
  EXPECT_THAT(Scene(with_mkl("solver", "solver.libs/libmkl_core.so.2")).run("opened-library-missing"), IsEmpty());
}

// A requirement may load the parts before, which only the process shows.
TEST(OpenedLibraryMissing, LooksForThePartsInTheProcess) {
  WheelBuilder requiring = with_mkl("solver");
  requiring.edit([](WheelFacts& facts) {
    facts.metadata = Metadata{.name = "solver", .version = "1.0", .requires_dist = {"mkl"}};
  });
  EXPECT_THAT(Scene(WheelBuilder(requiring)).run("opened-library-missing"), IsEmpty());
  WheelBuilder mkl = wheel_of("mkl");
  mkl.elf(ElfBuilder("mkl/libmkl_core.so.2").soname("libmkl_core.so.2"));
  const ElfMember libc = ElfBuilder("libc.so.6").soname("libc.so.6").exports("dlopen").build({0});
  const Result<Knowledge> tables = load_knowledge({});
  const auto findings = played(Together({mkl, requiring}).platform(libc), "opened-library-missing", *tables);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(
      findings[0].message,
      "solver.libs/libmkl_rt-1a2b3c4d.so.2 ends the process at its first use: it opens libmkl_core.so.2, which is "
      "not beside it");
  EXPECT_THAT(played(Together({with_mkl("solver", "solver.libs/libmkl_core.so.2")}).platform(libc),
                     "opened-library-missing", *tables),
              IsEmpty());
}

// A wheel whose package has this code in its __init__.py.
std::vector<Finding> findings_of(const std::string& code, WheelBuilder builder = WheelBuilder(wheel_2_17),
                                 const std::vector<std::string>& needs = {}) {
  WheelFacts wheel = builder.elf(ElfBuilder(module_so)).member("foo/__init__.py").build();
  wheel.python.push_back(python::read_source(code, *find_member(wheel.members, "foo/__init__.py")));
  wheel.all_python = true;
  wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_dist = needs};
  return Scene(std::move(wheel)).run("opened-library-missing");
}
std::string opener(const std::string& library) { return "import ctypes\nlib = ctypes.CDLL(\"" + library + "\")\n"; }

TEST(OpenedLibraryMissing, TellsWhatTheImportOpens) {
  const auto findings = findings_of(opener("libsnap7.so.1"));
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message,
            "the import opens libsnap7.so.1 by name, which neither the wheel nor the systems of its tags have");
  EXPECT_EQ(findings[0].severity, Severity::Error);
  const auto severity = [](const WheelBuilder& builder, const std::vector<std::string>& needs) {
    return findings_of(opener("libsnap7.so.1"), builder, needs).at(0).severity;
  };
  EXPECT_EQ(severity(WheelBuilder(wheel_2_17), {"other"}), Severity::Warning) << "it may have the library";
  EXPECT_EQ(severity(WheelBuilder(wheel_2_17), {"other; sys_platform == 'win32'"}), Severity::Error);
  EXPECT_EQ(severity(WheelBuilder("foo-1.0-py3-none-any.whl"), {}), Severity::Warning) << "it is for every system";
  EXPECT_EQ(evidence(findings[0], "call"), "line 2: ctypes.CDLL(\"libsnap7.so.1\")");
}

TEST(OpenedLibraryMissing, FollowsTheCallsOfTheImport) {
  EXPECT_THAT(findings_of("import ctypes\ndef load():\n    return ctypes.CDLL('liba.so')\nlib = load()\n"), SizeIs(1));
  const std::string tried = "import ctypes\ntry:\n    lib = ctypes.CDLL('liba.so')\nexcept OSError as error:\n    ";
  EXPECT_THAT(findings_of(tried + "raise ImportError('x') from error\n"), SizeIs(1));
  EXPECT_THAT(findings_of(tried + "raise\nexcept ValueError:\n    pass\n"), IsEmpty()) << "not told apart";
  EXPECT_THAT(findings_of("import ctypes\nname = 'liba.so' if ctypes.x else 'libb.so'\nctypes.CDLL(name)\n"),
              IsEmpty());
}

TEST(OpenedLibraryMissing, IsSilentWhereTheImportCanGoOn) {
  for (const std::string code : {
           "import ctypes\ntry:\n    lib = ctypes.CDLL('liba.so')\nexcept OSError:\n    lib = None\n",
           "import ctypes\ndef load():\n    return ctypes.CDLL('liba.so')\n",
           "import ctypes, sys\nif sys.platform == 'darwin':\n    lib = ctypes.CDLL('liba.so')\n",
           "import ctypes\ndef load():\n    return ctypes.CDLL('liba.so')\ntry:\n    lib = load()\n"
           "except OSError:\n    lib = None\n",
       })
    EXPECT_THAT(findings_of(code), IsEmpty()) << code;
}

TEST(OpenedLibraryMissing, IsAWarningForAPath) {
  const std::string code = "import ctypes, os\nlib = ctypes.CDLL(os.path.join(os.path.dirname(__file__), 'liba.so'))\n";
  const auto findings = findings_of(code);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].message, "the import opens liba.so by a path, but no file of the wheel has that name");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_THAT(findings_of(code, WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/liba.so"))), IsEmpty());
}

TEST(OpenedLibraryMissing, IsSilentAboutLibrariesThatAreThere) {
  for (const std::string library : {"libc.so.6", "libX11.so.6", "libcuda.so.1", "libcudart.so.12", "libEGL.so.1"})
    EXPECT_THAT(findings_of(opener(library)), IsEmpty()) << library;
  EXPECT_THAT(findings_of(opener("liba.so.1"), WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/liba.so.1"))), IsEmpty());
  EXPECT_THAT(findings_of(opener("libsnap7.so.1"), WheelBuilder(wheel_2_17), {"snap7>=1"}), IsEmpty());
  EXPECT_THAT(findings_of(opener("libsnap7.so.1"), WheelBuilder(wheel_2_17), {"other>=1"}), SizeIs(1));
}

}  // namespace
}  // namespace wheelcheck::test::opened_library_missing_test
