#include "tests/rules/scene.h"

namespace wheelcheck::test::gil_reenabled_test {
namespace {

const std::string threaded_wheel = "foo-1.0-cp313-cp313t-manylinux_2_17_x86_64.whl";
const std::string threaded_so = "foo/x.cpython-313t-x86_64-linux-gnu.so";

std::vector<Finding> findings(const ElfBuilder& elf, const std::string& wheel = threaded_wheel) {
  return Scene(WheelBuilder(wheel).elf(elf)).run("gil-reenabled");
}

TEST(GilReenabled, FiresOnAModuleThatDeclaresNothing) {
  const auto found = findings(ElfBuilder(threaded_so));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].confidence, Confidence::Low);
  EXPECT_EQ(evidence(found[0], "module"), "foo.x");
}

TEST(GilReenabled, HasTheWordsOfPyO3ForRust) {
  EXPECT_THAT(findings(ElfBuilder(threaded_so))[0].fix, testing::HasSubstr("Py_mod_gil"));
  EXPECT_THAT(findings(ElfBuilder(threaded_so).comment("rustc version 1.85.0 (4d91de4e4 2025-02-17)"))[0].fix,
              testing::StartsWith("#[pymodule(gil_used = false)]"));
}

TEST(GilReenabled, IsSilentWhereTheModuleDeclaresIt) {
  EXPECT_TRUE(
      findings(ElfBuilder(threaded_so).facts([](ElfFacts& facts, StringPool&) { facts.gil_slot = true; })).empty());
  EXPECT_TRUE(findings(ElfBuilder(threaded_so).import("PyUnstable_Module_SetGIL")).empty());
}

TEST(GilReenabled, IsSilentForAModuleThatNoInterpreterOfTheTagImports) {
  EXPECT_TRUE(findings(ElfBuilder("foo/x.cpython-313-x86_64-linux-gnu.so")).empty());
}

TEST(GilReenabled, IsSilentWhereTheSlotsAreMadeAtRunTime) {
  const auto pybind11 = [](ElfFacts& facts, StringPool&) {
    facts.interfaces.pybind11_ids = {"v12_system_libstdcpp_x"};
  };
  EXPECT_TRUE(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").facts(pybind11)).empty());
  EXPECT_EQ(findings(ElfBuilder(threaded_so).import("PyModule_Create2").facts(pybind11)).size(), 1U);
  EXPECT_EQ(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init")).size(), 1U);
  const auto nanobind = [](ElfFacts& facts, StringPool&) {
    facts.interfaces.nanobind_ids = {"nanobind_system_libstdcpp_x_a1_v22"};
  };
  EXPECT_TRUE(
      findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").import("PyMem_Calloc").facts(nanobind)).empty());
  EXPECT_EQ(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").facts(nanobind)).size(), 1U);
  const auto makes = [](std::vector<std::uint32_t> slots) {
    return [slots](ElfFacts& facts, StringPool&) {
      facts.interfaces.pybind11_ids = {"v11_system_libstdcpp_x"};
      facts.interfaces.module_slots = slots;
    };
  };
  EXPECT_TRUE(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").facts(makes({1, 2, 3, 4}))).empty());
  EXPECT_EQ(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").facts(makes({1, 2, 3}))).size(), 1U);
}

// A module of Cython has an array of slots and calls the function with the value that is in it.
TEST(GilReenabled, ACallCountsOnlyWithoutSlots) {
  EXPECT_TRUE(findings(ElfBuilder(threaded_so).import("PyModule_Create2").import("PyUnstable_Module_SetGIL")).empty());
  EXPECT_EQ(findings(ElfBuilder(threaded_so).import("PyModuleDef_Init").import("PyUnstable_Module_SetGIL")).size(), 1U);
}

TEST(GilReenabled, LooksAtModulesOfFreeThreadedWheelsOnly) {
  EXPECT_TRUE(findings(ElfBuilder("foo/libx.so")).empty());
  EXPECT_TRUE(findings(ElfBuilder(module_so), wheel_2_17).empty());
}

}  // namespace
}  // namespace wheelcheck::test::gil_reenabled_test
