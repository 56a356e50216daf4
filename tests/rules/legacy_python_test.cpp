#include "tests/rules/scene.h"

namespace wheelcheck::test::legacy_python_test {
namespace {

std::vector<Finding> run(const std::string& symbol, const std::string& newest_unmet) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import(symbol)));
  return scene.requires_at(module_so, InterpreterRequirement{symbol}, newest_unmet).run("legacy-python");
}

TEST(LegacyPython, NamesTheKindOfInterpreter) {
  EXPECT_EQ(run("PyFPE_jbuf", everywhere).at(0).message,
            "requires PyFPE_jbuf, which only an interpreter built with --with-fpectl has");
  EXPECT_EQ(run("PyUnicodeUCS2_Decode", everywhere).at(0).message,
            "requires PyUnicodeUCS2_Decode, which only an interpreter built with two-byte Unicode has");
}

TEST(LegacyPython, FindsNamesOfPython2InModulesForPython3) {
  const auto of = [](const std::string& wheel) {
    return Scene(WheelBuilder(wheel).elf(ElfBuilder(module_so).exports("PyInit_x").import("PyString_FromString")))
        .run("legacy-python");
  };
  ASSERT_EQ(of(wheel_2_17).size(), 1U);
  EXPECT_EQ(of(wheel_2_17)[0].message,
            "requires PyString_FromString, which CPython 3 does not have: the import of foo.x fails");
  EXPECT_TRUE(of("foo-1.0-cp27-cp27mu-manylinux1_x86_64.whl").empty());
  EXPECT_TRUE(of("foo-1.0-3-none-manylinux1_x86_64.whl").empty()) << "a tag of one character";
}

TEST(LegacyPython, IsSilentWhereNoClaimIsBroken) { EXPECT_TRUE(run("PyFPE_jbuf", nowhere).empty()); }

}  // namespace
}  // namespace wheelcheck::test::legacy_python_test
