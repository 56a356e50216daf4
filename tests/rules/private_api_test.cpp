#include "tests/rules/scene.h"

namespace wheelcheck::test::private_api_test {
namespace {

TEST(PrivateApi, FiresOnNamesThatCPythonKeepsForItself) {
  const auto found =
      Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import("_PyLong_New"))).run("private-api");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
  EXPECT_EQ(found[0].message, "uses 1 name private to CPython: _PyLong_New");
}

TEST(PrivateApi, IsSilentOnWhatTheStableAbiKeeps) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).import("_Py_Dealloc").import("PyFloat_Pack8")))
                  .run("private-api")
                  .empty());
}

TEST(PrivateApi, LeavesAbi3WheelsToTheRuleForThem) {
  EXPECT_TRUE(Scene(WheelBuilder("foo-1.0-cp37-abi3-manylinux_2_17_x86_64.whl")
                        .elf(ElfBuilder("foo/x.abi3.so").import("_PyLong_New")))
                  .run("private-api")
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::private_api_test
