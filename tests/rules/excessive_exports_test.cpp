#include <fmt/format.h>

#include "tests/rules/scene.h"

namespace wheelcheck::test::excessive_exports_test {
namespace {

Scene with_exports(int count, std::uint32_t budget) {
  ElfBuilder elf(module_so);
  for (int i = 0; i < count; ++i) elf.exports(fmt::format("_ZN3foo4f{:03}Ev", i));
  Scene scene(WheelBuilder(wheel_2_17).elf(elf.exports("PyInit_x")));
  scene.options.max_exports = budget;
  return scene;
}

TEST(ExcessiveExports, FiresAboveTheBudget) {
  const auto findings = with_exports(10, 10).run("excessive-exports");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 11 symbols, above the budget of 10");
  EXPECT_EQ(findings[0].severity, Severity::Warning);
  EXPECT_EQ(evidence(findings[0], "C++ namespaces"), "foo 10");
  EXPECT_EQ(evidence(findings[0], "C names"), "1");
}

TEST(ExcessiveExports, IsSilentAtTheBudgetAndByDefault) {
  EXPECT_TRUE(with_exports(9, 10).run("excessive-exports").empty());
  EXPECT_TRUE(with_exports(100, RuleOptions{}.max_exports).run("excessive-exports").empty());
}

TEST(ExcessiveExports, IsANoteAboveTheDefaultBudget) {
  EXPECT_EQ(with_exports(20'000, RuleOptions{}.max_exports).run("excessive-exports").at(0).severity, Severity::Note);
}

TEST(ExcessiveExports, IsSilentAboutAProgramWithoutItsOwnBudget) {
  Scene scene = with_exports(10, 10);
  scene.wheel.elfs[0].role = Program{};
  EXPECT_TRUE(scene.run("excessive-exports").empty());
  scene.options.export_budgets = {{"**", 5}};
  EXPECT_EQ(scene.run("excessive-exports").size(), 1U);
}

TEST(ExcessiveExports, TakesTheFirstBudgetThatMatchesTheFile) {
  Scene scene = with_exports(10, 100);
  scene.options.export_budgets = {{"bar/*", 1}, {"foo/*", 5}, {"**", 50}};
  const auto findings = scene.run("excessive-exports");
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].message, "exports 11 symbols, above the budget of 5");
  scene.options.export_budgets.erase(scene.options.export_budgets.begin() + 1);
  EXPECT_TRUE(scene.run("excessive-exports").empty());
}

TEST(ExcessiveExports, DoesNotLookAtDeviceCode) {
  Scene scene(
      WheelBuilder(wheel_2_17).elf(ElfBuilder("foo/k.cubin").use(MachineUse::Device).exports("a").exports("b")));
  scene.options.max_exports = 1;
  EXPECT_TRUE(scene.run("excessive-exports").empty());
}

}  // namespace
}  // namespace wheelcheck::test::excessive_exports_test
