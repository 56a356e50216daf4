#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/rules/played.h"

namespace wheelcheck::test::bound_to_zero_test {
namespace {

using namespace test;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

const std::string widen = "_ZNKSt5ctypeIcE8do_widenEc";

// `first` exports the function, and the system's libstdc++ binds to it if `first` loads it.
std::vector<Finding> found(bool at_zero) {
  const ElfMember system = looked_up(ElfBuilder("libstdc++.so.6").soname("libstdc++.so.6").exports(widen)).build({0});
  ElfBuilder first(module_file("first/_f"));
  first.needed("libstdc++.so.6").exports(widen);
  first.edit([at_zero](ElfMember& member) {
    if (at_zero) member.facts.dynamic->exports_at_zero = {widen};
  });
  return played(Together({wheel_of("second").elf(ElfBuilder(module_file("second/_s")).needed("libstdc++.so.6")),
                          wheel_of("first").elf(first)})
                    .platform(system),
                "bound-to-zero");
}

TEST(BoundToZero, IsAnErrorInTheOrderInWhichTheWheelLoadsTheLibraryFirst) {
  const auto findings = found(true);
  ASSERT_THAT(findings, SizeIs(1));
  EXPECT_EQ(findings[0].severity, Severity::Error);
  EXPECT_EQ(findings[0].load_plans, std::vector<std::uint32_t>{1});
  EXPECT_THAT(findings[0].message, HasSubstr("has no address"));
  EXPECT_THAT(findings[0].fix, HasSubstr("import in the order second, then first"));
}

TEST(BoundToZero, IsSilentOnFunctionsWithAnAddress) { EXPECT_THAT(found(false), IsEmpty()); }

}  // namespace
}  // namespace wheelcheck::test::bound_to_zero_test
