#include "tests/rules/scene.h"

namespace wheelcheck::test {
namespace {

TEST(InitMissing, FiresOnAFileThatOnlyLooksLikeAModule) {
  const auto found =
      Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).role(PlainLibrary{}))).run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
  EXPECT_THAT(found[0].message, testing::HasSubstr("exports no PyInit_"));
}

TEST(InitMissing, SaysItOnceForManyFiles) {
  WheelBuilder wheel(wheel_2_17);
  for (const char* name : {"foo/a.abi3.so", "foo/b.abi3.so", "foo/c.abi3.so"})
    wheel.elf(ElfBuilder(name).role(PlainLibrary{}));
  const auto found = Scene(wheel).run("init-missing");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].message, testing::StartsWith("3 files are named as extension modules"));
  EXPECT_EQ(evidence(found[0], "files"), "foo/a.abi3.so, foo/b.abi3.so, foo/c.abi3.so");
}

TEST(InitMissing, IsSilentOnModulesAndOnLibraries) {
  EXPECT_TRUE(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so)).elf(ElfBuilder("foo/libx.so")))
                  .run("init-missing")
                  .empty());
}

TEST(InitMissing, IsAnErrorForAnInitFunctionOfAnotherName) {
  const auto run = [](const std::string& symbol) {
    return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).exports(symbol))).run("init-missing");
  };
  ASSERT_EQ(run("PyInit_y").size(), 1U);
  EXPECT_EQ(run("PyInit_y")[0].severity, Severity::Error);
  EXPECT_EQ(run("PyInit_y")[0].message, "exports PyInit_y, but importing foo.x calls PyInit_x: ImportError");
  EXPECT_TRUE(run("PyInit_x").empty());
}

}  // namespace
}  // namespace wheelcheck::test
