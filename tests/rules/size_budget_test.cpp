#include "tests/rules/scene.h"

namespace wheelcheck::test::size_budget_test {
namespace {

Scene one_module() { return Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).exports("PyInit_x"))); }

TEST(SizeBudget, FindsAMemberAboveTheFirstBudgetThatMatches) {
  Scene scene = one_module();
  scene.wheel.members.at(0).size = 2'000'001;
  scene.options.size_budgets = {{"bar/**", 0}, {scene.wheel.members.at(0).path.text(), 1'000'000}, {"**", 9'000'000}};
  const auto findings = scene.run("size-budget");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "has 2000001 bytes, 1.0 MB above the size-budget of 1000000");
}

TEST(SizeBudget, IsSilentAtTheBudgetAndWithoutOne) {
  Scene scene = one_module();
  EXPECT_TRUE(scene.run("size-budget").empty());
  scene.options.size_budgets = {{"**", std::uint64_t{1} << 30}};
  EXPECT_TRUE(scene.run("size-budget").empty());
}

}  // namespace
}  // namespace wheelcheck::test::size_budget_test
