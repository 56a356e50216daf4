#include "tests/rules/scene.h"

namespace wheelcheck::test::abi3t_rules_test {
namespace {

std::vector<Finding> findings(const std::string& tags, const std::string& file, const std::string& hook) {
  return Scene(WheelBuilder("foo-1.0-" + tags + "-manylinux_2_17_x86_64.whl").elf(ElfBuilder(file).exports(hook)))
      .run("abi3t-rules");
}

TEST(Abi3tRules, FiresOnATagBefore315) {
  const auto found = findings("cp313-abi3t", "foo/x.abi3t.so", "PyModExport_x");
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].message, "is tagged abi3t for cp313, but that ABI begins with CPython 3.15");
}

TEST(Abi3tRules, FiresOnAModuleOfTheOldKind) {
  EXPECT_EQ(findings("cp315-abi3t", "foo/x.abi3t.so", "PyInit_x").size(), 1U);
  EXPECT_EQ(findings("cp315-abi3t", "foo/x.so", "PyInit_x").size(), 1U);
}

TEST(Abi3tRules, IsSilentOnTheNewKindAndOnOtherWheels) {
  EXPECT_TRUE(findings("cp315-abi3t", "foo/x.abi3t.so", "PyModExport_x").empty());
  EXPECT_TRUE(findings("cp315-abi3.abi3t", "foo/x.abi3.so", "PyInit_x").empty());
  EXPECT_TRUE(findings("cp311-abi3", "foo/x.abi3.so", "PyInit_x").empty());
}

}  // namespace
}  // namespace wheelcheck::test::abi3t_rules_test
