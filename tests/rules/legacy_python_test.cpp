#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

std::vector<Finding> run(const std::string& symbol, const std::string& newest_unmet) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import(symbol)));
  return scene.asks(module_so, InterpreterRequirement{symbol}, newest_unmet).run("legacy-python");
}

TEST(LegacyPython, NamesTheKindOfInterpreter) {
  EXPECT_EQ(run("PyFPE_jbuf", everywhere).at(0).message,
            "needs PyFPE_jbuf, which only an interpreter built with --with-fpectl has");
  EXPECT_EQ(run("PyUnicodeUCS2_Decode", everywhere).at(0).message,
            "needs PyUnicodeUCS2_Decode, which only an interpreter built with two-byte Unicode has");
}

TEST(LegacyPython, IsSilentWhereNoClaimIsBroken) { EXPECT_TRUE(run("PyFPE_jbuf", nowhere).empty()); }

}  // namespace
}  // namespace wheelcheck::test
