#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::module_hidden_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::vector<Finding> found(const std::string& first, const std::string& second) {
  return played(Together({wheel_of("one").member(first), wheel_of("two").member(second)}), "module-hidden");
}

TEST(ModuleHidden, APackageHidesAModule) {
  const auto findings = found("semver.py", "semver/__init__.py");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("`import semver` finds semver/__init__.py of two, not semver.py of one"));
  EXPECT_EQ(findings[0].fix,
            "to use that of one: pip uninstall two; to use that of two: pip uninstall one; their authors must rename "
            "the module");
}

TEST(ModuleHidden, AnExtensionModuleHidesASource) {
  const auto findings = found("ns/fast.py", "ns/fast.cpython-311-x86_64-linux-gnu.so");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_THAT(findings[0].message, HasSubstr("`import ns.fast` finds ns/fast.cpython-311-x86_64-linux-gnu.so of two"));
}

TEST(ModuleHidden, IsSilentOnOtherNamesFormsAndTests) {
  EXPECT_THAT(found("semver.py", "nodesemver/__init__.py"), IsEmpty());
  EXPECT_THAT(found("semver.py", "semver/data.txt"), IsEmpty());
  EXPECT_THAT(found("semver.py", "semver.py"), IsEmpty());
  EXPECT_THAT(found("tests/a.py", "tests/a/__init__.py"), IsEmpty());
}

}  // namespace
}  // namespace wheelcheck::test::module_hidden_test
