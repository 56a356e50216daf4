#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::deepbind_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// one/_m makes a name global; two/_m defines it too and is opened with or without RTLD_DEEPBIND.
std::vector<Finding> found(const std::string& name, bool deep) {
  const std::string one = module_file("one/_m"), two = module_file("two/_m");
  Together together({wheel_of("one").elf(looked_up(ElfBuilder(one).exports(name))),
                     wheel_of("two").elf(looked_up(ElfBuilder(two).exports(name)))});
  together.global(one);
  if (deep) together.deepbind(two);
  return played(together, "deepbind");
}

TEST(Deepbind, IsAnErrorForWhatAProcessHasOnce) {
  const auto findings = found("_ZSt4cout", true);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_THAT(findings[0].message, HasSubstr("uses its own copy of 1 name that the process already has: streams"));
  EXPECT_THAT(findings[0].load_plans, SizeIs(2));
}

TEST(Deepbind, IsAWarningForOtherNames) { EXPECT_EQ(found("helper", true).at(0).severity, Severity::Warning); }

TEST(Deepbind, IsSilentWithoutTheFlag) { EXPECT_THAT(found("_ZSt4cout", false), IsEmpty()); }

}  // namespace
}  // namespace wheelcheck::test::deepbind_test
