#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::numpy_refused_test {
namespace {

constexpr std::string_view abi = "module compiled against ABI version 0x%x but this version of numpy is 0x%x";
constexpr std::string_view old_feature = "module compiled against API version 0x%x but this version of numpy is 0x%x";
std::string_view feature(std::string_view version) {
  if (version == "1.20")
    return "module was compiled against NumPy C-API version 0x%x (NumPy 1.20) but the running NumPy has C-API version "
           "0x%x.";
  return "module was compiled against NumPy C-API version 0x%x (NumPy 1.23) but the running NumPy has C-API version "
         "0x%x.";
}
constexpr std::string_view new_core = "numpy._core._multiarray_umath", old_core = "numpy.core._multiarray_umath";

struct Module {
  std::string path;
  InterfaceFacts interfaces;
};
constexpr std::string_view old_id = "v4_gcc_libstdcpp_cxxabi1013";

std::vector<Finding> findings(const std::vector<Module>& modules, std::vector<std::string> requires_dist,
                              const std::string& tags = "cp311-cp311", const std::string& project = "foo",
                              const std::string& machine = "x86_64") {
  WheelBuilder builder("foo-1.0-" + tags + "-manylinux_2_17_" + machine + ".whl");
  for (const Module& module : modules) builder.elf(ElfBuilder(module.path).exports("PyInit_x"));
  Scene scene(builder);
  scene.wheel.metadata = Metadata{.name = project, .version = "1.0", .requires_dist = std::move(requires_dist)};
  for (ElfMember& elf : scene.wheel.elfs) {
    elf.role = ExtensionModule{"foo.x", 3, false};
    for (const Module& module : modules)
      if (scene.wheel.members[elf.member.value].path.text() == module.path) elf.facts.interfaces = module.interfaces;
  }
  return scene.run("numpy-refused");
}

const Module with_1_23{module_so, {.numpy_messages = {abi, feature("1.23")}, .numpy_modules = {new_core, old_core}}};
const Module with_1_20{"foo/y.cpython-311-x86_64-linux-gnu.so",
                       {.numpy_messages = {abi, feature("1.20")}, .numpy_modules = {new_core, old_core}}};
const Module of_numpy_1{module_so, {.numpy_messages = {abi, old_feature}, .numpy_modules = {old_core}}};

TEST(NumpyRefused, FiresOnAFloorThatRequiresDistLacks) {
  const auto found = findings({with_1_23}, {"numpy>=1.21,<3"}, "cp310-cp310");
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].message,
            "refuses NumPy 1.22, which Requires-Dist allows: it was compiled for NumPy 1.23 or newer");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("`Requires-Dist: numpy>=1.23,<3`"));
}

TEST(NumpyRefused, FiresOnNumpy2WithHeadersOfNumpy1) {
  const auto found = findings({of_numpy_1}, {"numpy>=1.21"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "refuses NumPy 2.0, which Requires-Dist allows: it was compiled for NumPy 1");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("`Requires-Dist: numpy>=1.21,<2`"));
}

// gtsam 4.2, robust-laplacian 0.2.7: a segmentation fault with NumPy 2.
TEST(NumpyRefused, WarnsOfAnOldPybind11) {
  const Module old{module_so, {.numpy_modules = {"numpy.core.multiarray"}, .pybind11_ids = {old_id}}};
  const auto found = findings({old}, {"numpy>=1.11.0"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(
      found[0].message,
      "may crash in functions with arrays of NumPy 2.0, which Requires-Dist allows: it was compiled with a pybind11 "
      "before 2.12, which knows only NumPy 1");
  EXPECT_EQ(found[0].fix, "write `Requires-Dist: numpy>=1.11.0,<2`");
  EXPECT_EQ(findings({old}, {"scipy"}).at(0).severity, Severity::Note);
  Module matrices = old;
  matrices.interfaces.eigen_matrices = 1;
  EXPECT_THAT(findings({matrices}, {"numpy"}).at(0).message,
              testing::StartsWith("crashes in functions that take a matrix of NumPy 2.0, which"));
  EXPECT_TRUE(findings({old}, {"numpy<2"}).empty());
  EXPECT_TRUE(findings({{module_so, {.pybind11_ids = {old_id}}}}, {"numpy"}).empty());
  EXPECT_TRUE(findings({{module_so, {.numpy_modules = {"numpy.core.multiarray"}}}}, {"numpy"}).empty());
}

TEST(NumpyRefused, FiresOnObjectsThatGrew) {
  const auto sizes = [](std::uint64_t array, std::uint64_t ufunc) {
    return Module{module_so,
                  {.imported_types = {{"numpy.dtype", 96}, {"numpy.ndarray", array}, {"numpy.ufunc", ufunc}}}};
  };
  const auto found = findings({sizes(96, 232)}, {"numpy (>=1.20)"}, "cp39-cp39");
  ASSERT_EQ(found.size(), 2U);
  check_words(found[1]);
  EXPECT_EQ(found[1].severity, Severity::Warning);  // pip installs the newest
  EXPECT_EQ(found[1].message,
            "refuses NumPy 1.21, which Requires-Dist allows: it was compiled for NumPy 1.22 or newer");
  EXPECT_THAT(found[1].fix, testing::HasSubstr("`Requires-Dist: numpy>=1.22`"));
  EXPECT_EQ(evidence(found[1], "message"), "numpy.ndarray size changed, may indicate binary incompatibility");
  EXPECT_EQ(found[0].severity, Severity::Error);
  EXPECT_EQ(found[0].message, "refuses NumPy 2.0, which Requires-Dist allows: it was compiled for NumPy 1");
  EXPECT_TRUE(findings({sizes(88, 216)}, {"numpy>=1.20,<2"}, "cp39-cp39").empty());
  EXPECT_TRUE(findings({sizes(16, 192)}, {"numpy"}, "cp39-cp39").empty())
      << "NPY_NO_DEPRECATED_API, and the size of NumPy 1.15";
}

TEST(NumpyRefused, PrefersTheCheckOfTheVersion) {
  const Module sizes{"foo/a.cpython-310-x86_64-linux-gnu.so", {.imported_types = {{"numpy.ufunc", 216}}}};
  const Module after{"foo/z.cpython-310-x86_64-linux-gnu.so", {.imported_types = {{"numpy.ufunc", 216}}}};
  const auto found = findings({sizes, with_1_23, after}, {"numpy>=1.21,<3"}, "cp310-cp310");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::StartsWith("refuses NumPy 1.22"));
  EXPECT_THAT(evidence(found[0], "message"), testing::StartsWith("module was compiled"));
}

TEST(NumpyRefused, IsAWarningWhereNoRequirementNamesNumpy) {
  const auto found = findings({with_1_20}, {"six", "scipy (>=1.0)"}, "cp37-cp37m");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_EQ(found[0].message,
            "refuses NumPy 1.19, which Requires-Dist does not exclude: it was compiled for NumPy 1.20 or newer");
  EXPECT_THAT(found[0].fix, testing::HasSubstr("`Requires-Dist: numpy>=1.20`"));
  EXPECT_TRUE(findings({with_1_20}, {"six", "numpy; extra == 'fast'"}, "cp37-cp37m").empty()) << "it is optional";
  EXPECT_TRUE(findings({with_1_20}, {}, "cp37-cp37m").empty());
}

TEST(NumpyRefused, IsANoteWhereNumpyHasNoWheels) {
  const auto found = findings({with_1_23}, {"numpy"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
  // opencv_contrib_python_headless 5.0.0.93: the first wheels for aarch64 are those of 1.19.
  const auto on = [](const std::string& machine, const std::string& newest) {
    return findings({with_1_20}, {"numpy<" + newest}, "cp37-cp37m", "foo", machine).at(0).severity;
  };
  EXPECT_EQ(on("x86_64", "1.19"), Severity::Warning);
  EXPECT_EQ(on("aarch64", "1.19"), Severity::Note);
  EXPECT_EQ(on("aarch64", "1.20"), Severity::Warning);
}

TEST(NumpyRefused, ReadsMarkersOfTheTaggedPython) {
  const std::vector<std::string> lines = {"numpy>=1.17; python_version < \"3.10\"",
                                          "numpy>=1.23; python_version >= '3.10'"};
  EXPECT_TRUE(findings({with_1_23}, lines).empty());
  const auto found = findings({with_1_23}, lines, "cp39-cp39");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].fix, testing::HasSubstr("`Requires-Dist: numpy>=1.23; python_version < \"3.10\"`"));
  EXPECT_EQ(findings({with_1_23}, lines, "cp38-abi3").size(), 1U);
}

TEST(NumpyRefused, KnowsTheLimitOfMachineCode) {
  const Module of_1_14{module_so,
                       {.numpy_messages = {abi, old_feature}, .numpy_modules = {old_core}, .numpy_feature = 12}};
  EXPECT_TRUE(findings({of_1_14}, {"numpy>=1.14,<2"}, "cp37-cp37m").empty());
  const auto found = findings({of_1_14}, {"numpy<2"}, "cp37-cp37m");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::HasSubstr("1.14 or newer"));
  EXPECT_EQ(found[0].severity, Severity::Note);  // NumPy 1.13 has no wheels for CPython 3.7
  EXPECT_EQ(findings({of_1_14}, {"numpy<2"}, "cp36-cp36m").at(0).severity, Severity::Warning);
}

TEST(NumpyRefused, IsSilentWhereTheLimitIsWritten) {
  EXPECT_TRUE(findings({with_1_23}, {"numpy>=1.23"}).empty());
  EXPECT_TRUE(findings({with_1_23}, {"numpy~=1.24"}).empty());
  EXPECT_TRUE(findings({with_1_23}, {"numpy==1.26.4"}).empty());
  EXPECT_TRUE(findings({of_numpy_1}, {"numpy<2"}).empty());
  EXPECT_TRUE(findings({of_numpy_1}, {"numpy (<2.0.0,>=1.23.5)"}).empty());
}

TEST(NumpyRefused, IsSilentWhereOneModuleAcceptsMore) {
  EXPECT_TRUE(findings({with_1_23, with_1_20}, {"numpy>=1.21"}).empty());
}

TEST(NumpyRefused, IsSilentWithoutARequirementThatCounts) {
  EXPECT_TRUE(findings({with_1_23}, {}).empty());
  EXPECT_TRUE(findings({with_1_23}, {"numpy>=1.0; extra == 'test'"}).empty());
  EXPECT_TRUE(findings({with_1_23}, {"numpy>=1.0; platform_machine == 'riscv64'"}).empty());
  EXPECT_TRUE(findings({with_1_23}, {"numpy>=1.0"}, "py3-none").empty());
  EXPECT_TRUE(findings({of_numpy_1}, {"numpy"}, "cp311-cp311", "NumPy").empty());
  EXPECT_TRUE(findings({{module_so, {.numpy_modules = {old_core}}}}, {"numpy"}).empty());
}

// No answer depends on a newest version of CPython.
TEST(NumpyRefused, IsTheSameForNewVersionsOfPython) {
  for (const char* const version : {"cp314", "cp315", "cp316", "cp330"}) {
    const auto found = findings({with_1_23}, {"numpy>=1.21,<3"}, fmt::format("{}-{}", version, version));
    ASSERT_EQ(found.size(), 1U) << version;
    EXPECT_EQ(found[0].severity, Severity::Note) << version << ": NumPy 1.22 has no wheels for it";
    EXPECT_EQ(findings({of_numpy_1}, {"numpy>=2.3"}, fmt::format("{}-abi3", version)).at(0).severity, Severity::Error);
  }
}

// Requires-Python of NumPy 2 is 3.9 and newer. MQLib 0.1: NumPy 1.18 is the last one for CPython 3.5.
TEST(NumpyRefused, NamesNoReleaseThatThePythonCannotHave) {
  EXPECT_TRUE(findings({of_numpy_1}, {"numpy"}, "cp35-cp35m").empty());
  EXPECT_TRUE(findings({of_numpy_1}, {"numpy>=1.7"}, "cp38-cp38").empty());
  EXPECT_EQ(findings({of_numpy_1}, {"numpy>=1.7"}, "cp39-cp39").size(), 1U);
}

TEST(NumpyRefused, IsAWarningForLibrariesThatModulesCall) {
  const auto library = [](std::string_view version) {
    WheelBuilder builder("foo-1.0-cp310-cp310-manylinux_2_17_x86_64.whl");
    builder.elf(ElfBuilder("foo.libs/libfoo.so"));
    Scene scene(builder);
    scene.wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_dist = {"numpy<2"}};
    scene.wheel.elfs[0].facts.interfaces = {.numpy_messages = {abi, feature(version)}, .numpy_modules = {old_core}};
    return scene.run("numpy-refused");
  };
  ASSERT_EQ(library("1.23").size(), 1U);
  EXPECT_EQ(library("1.23")[0].severity, Severity::Warning);
}

}  // namespace
}  // namespace wheelcheck::test::numpy_refused_test
