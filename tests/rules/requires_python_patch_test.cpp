#include "tests/rules/scene.h"

namespace wheelcheck::test::requires_python_patch_test {
namespace {

std::vector<Finding> findings(const std::string& wanted, const std::string& tags = "py3-none-any") {
  return Scene(WheelBuilder("foo-1.0-" + tags + ".whl").edit([&](WheelFacts& wheel) {
           wheel.metadata = Metadata{.name = "foo", .version = "1.0", .requires_python = wanted};
         }))
      .run("requires-python-patch");
}

// geojson 3.0.0, linkml_map 0.5.0
TEST(RequiresPythonPatch, FiresWhereOnlyTheFirstReleaseIsAdmitted) {
  const auto found = findings(">=3.7, <=3.11");
  ASSERT_EQ(found.size(), 1U);
  check_words(found[0]);
  EXPECT_EQ(found[0].severity, Severity::Warning);
  EXPECT_THAT(found[0].message, testing::HasSubstr("admits only 3.11.0 of Python 3.11 ("));
  EXPECT_EQ(found[0].fix, "write <3.12 instead of <=3.11");
  EXPECT_EQ(findings("==3.10").at(0).fix, "write ==3.10.*");
  EXPECT_EQ(findings("<=3.9.0").size(), 1U);
  EXPECT_EQ(findings("<3.9.1").at(0).fix, "write <3.10");
}

TEST(RequiresPythonPatch, IsAnErrorWhereNobodyCanInstallTheWheel) {
  const std::string tags = "cp311-cp311-manylinux_2_17_x86_64";
  EXPECT_EQ(findings("<=3.11", tags).at(0).severity, Severity::Error);
  EXPECT_TRUE(findings("<=3.12", tags).empty()) << "3.12 is no matter for this wheel";
  EXPECT_EQ(findings("<=3.12", "cp39-abi3-manylinux_2_17_x86_64").at(0).severity, Severity::Warning);
}

TEST(RequiresPythonPatch, IsSilentForOtherBounds) {
  for (const char* const wanted : {"", ">=3.8", "<3.12", ">=3.8,<4", "==3.11.*", "~=3.8", "<=3.11.4", ">=3.9.0", "<=3",
                                   ">3.7", "!=3.9", "nonsense"})
    EXPECT_TRUE(findings(wanted).empty()) << wanted;
}

}  // namespace
}  // namespace wheelcheck::test::requires_python_patch_test
