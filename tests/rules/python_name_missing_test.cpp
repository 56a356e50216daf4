#include "tests/rules/scene.h"

namespace wheelcheck::test::python_name_missing_test {
namespace {

std::string wheel_for(const std::string& tags) { return "foo-1.0-" + tags + "-manylinux_2_17_x86_64.whl"; }

std::vector<Finding> run(const std::string& tags, const std::string& symbol, const std::string& path = module_so) {
  return Scene(WheelBuilder(wheel_for(tags)).elf(ElfBuilder(path).exports("PyInit_x").import(symbol)))
      .run("python-name-missing");
}

TEST(PythonNameMissing, ANameOfANewerRelease) {
  const auto found = run("cp311-cp311", "PyType_FromMetaclass");  // added in 3.12
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message,
            "requires PyType_FromMetaclass, which CPython 3.11 does not have (3.12 and newer do): the import fails");
  EXPECT_TRUE(run("cp312-cp312", "PyType_FromMetaclass", "foo/x.so").empty());
}

TEST(PythonNameMissing, ANameThatWasRemoved) {
  EXPECT_EQ(run("cp312-cp312", "PyUnicode_AsUnicode", "foo/x.so").size(), 1U);  // removed in 3.12
  EXPECT_TRUE(run("cp311-cp311", "PyUnicode_AsUnicode").empty());
}

TEST(PythonNameMissing, InTheNewestReleases) {
  EXPECT_EQ(run("cp314-cp314", "_PyLong_FromNothing").size(), 1U);
  EXPECT_TRUE(run("cp314-cp314", "_PyBytesWriter_Alloc").empty());
  EXPECT_EQ(run("cp315-cp315", "_PyBytesWriter_Alloc", "foo/x.so").size(), 1U);  // removed in 3.15
  EXPECT_EQ(run("cp313-cp313", "PyBytesWriter_Create", "foo/x.so").size(), 1U);  // added in 3.15
}

TEST(PythonNameMissing, ANameThatNoReleaseHas) {
  EXPECT_EQ(run("cp311-cp311", "PyLong_FromNothing").size(), 1U);
  EXPECT_TRUE(run("cp311-cp311", "PyLong_FromLong").empty());
  EXPECT_TRUE(run("cp311-cp311", "zlibVersion").empty());
}

// pydem 1.2.1: a module of Python 2 was left in the tree, and CPython 3.11 finds the other first.
TEST(PythonNameMissing, IsSilentOnAModuleThatAnotherOneHides) {
  const auto count = [](const std::string& other) {
    return Scene(WheelBuilder(wheel_for("cp311-cp311"))
                     .elf(ElfBuilder("foo/x.so").exports("initx").import("PyLong_FromNothing"))
                     .elf(ElfBuilder(other).exports("PyInit_x")))
        .run("python-name-missing")
        .size();
  };
  EXPECT_EQ(count("foo/x.cpython-311-x86_64-linux-gnu.so"), 0U);
  EXPECT_EQ(count("foo/y.cpython-311-x86_64-linux-gnu.so"), 1U);
}

TEST(PythonNameMissing, IsSilentOnOtherInterpreters) {
  EXPECT_TRUE(run("cp313-cp313t", "PyLong_FromNothing", "foo/x.so").empty());
  EXPECT_TRUE(run("pp310-pypy310_pp73", "PyLong_FromNothing").empty());
  EXPECT_TRUE(run("cp39-abi3", "PyLong_FromNothing", "foo/x.abi3.so").empty()) << "WC801";
  EXPECT_TRUE(run("cp311-cp311", "PyString_FromString").empty()) << "WC807";
}

TEST(PythonNameMissing, JudgesAFileByTheVersionOfItsName) {
  EXPECT_EQ(run("cp39.cp312-none", "PyType_FromMetaclass", "foo/x.cpython-39-x86_64-linux-gnu.so").size(), 1U);
  EXPECT_TRUE(run("cp39.cp312-none", "PyType_FromMetaclass", "foo/x.cpython-312-x86_64-linux-gnu.so").empty());
}

}  // namespace
}  // namespace wheelcheck::test::python_name_missing_test
