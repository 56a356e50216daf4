#include "tests/rules/scene.h"

namespace wheelcheck::test::abi3_not_tagged_test {
namespace {

std::vector<Finding> findings(const std::string& tags, const std::vector<std::string>& files) {
  WheelBuilder wheel("foo-1.0-" + tags + "-manylinux_2_17_x86_64.whl");
  for (const std::string& file : files) wheel.elf(ElfBuilder(file));
  return Scene(wheel).run("abi3-not-tagged");
}

TEST(Abi3NotTagged, FiresWhereAllModulesAreForTheStableAbi) {
  const auto found = findings("cp312-cp312", {"foo/a.abi3.so", "foo/libb.so"});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].severity, Severity::Note);
  EXPECT_EQ(found[0].message,
            "its extension modules are built for the stable ABI (foo/a.abi3.so), but the tag cp312-cp312 gives the "
            "wheel to CPython 3.12 only");
  EXPECT_EQ(evidence(found[0], "modules"), "foo/a.abi3.so");
}

TEST(Abi3NotTagged, IsSilentOtherwise) {
  EXPECT_TRUE(findings("cp312-abi3", {"foo/a.abi3.so"}).empty());
  EXPECT_TRUE(findings("cp312-cp312", {"foo/a.abi3.so", "foo/b.cpython-312-x86_64-linux-gnu.so"}).empty());
  EXPECT_TRUE(findings("cp312-cp312", {"foo/libb.so"}).empty());
  EXPECT_TRUE(findings("cp313-cp313t", {"foo/a.abi3t.so"}).empty());
  EXPECT_TRUE(findings("py3-none", {"foo/a.abi3.so"}).empty());
}

}  // namespace
}  // namespace wheelcheck::test::abi3_not_tagged_test
