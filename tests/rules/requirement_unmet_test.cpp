#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck {
namespace {

using namespace test;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// "one" requires something of "two", whose version is 1.0.
std::vector<Finding> found(const std::string& line) {
  const auto user = wheel_of("one").edit([&](WheelFacts& wheel) { wheel.metadata->requires_dist = {line}; });
  return played(Together({user, wheel_of("two")}), "requirement-unmet");
}

TEST(RequirementUnmet, NamesBothReleases) {
  const auto findings = found("two==2.*");
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(findings[0].message,
            "one 1.0 requires two==2.*, and two 1.0 is here: what it needs of the other release may be missing");
  EXPECT_EQ(findings[0].fix, "pip install 'two==2.*', or a version of one that accepts two 1.0");
  EXPECT_THAT(found("Two[extra] (>=1.5)"), SizeIs(1));
}

TEST(RequirementUnmet, IsSilentWhereItIsMetOrNotKnown) {
  for (const char* const line : {"two", "two==1.0", "two>=0.5,<2", "three==2", "two==2; python_version < '3'",
                                 "two==2; extra == 'all'", "two @ https://example.org/two.whl", "two==x"})
    EXPECT_THAT(found(line), IsEmpty()) << line;
}

}  // namespace
}  // namespace wheelcheck
