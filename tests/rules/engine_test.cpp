#include "rules/engine.h"

#include "tests/rules/scene.h"

namespace wheelcheck::test::engine_test {
namespace {

using rules::RuleSelection;

// A few rules of each severity, so that new rules do not change the test.
const RuleSelection some{.select = {"WC103", "WC503", "WC601", "WC702", "WC709"}, .ignore = {}};
std::vector<Finding> run_all(const Scene& scene, const RuleSelection& selection = some) {
  return scene.run(selection, scene.claims());
}
bool selected(const char* rule, const RuleSelection& selection) {
  return rules::is_selected(*find_rule(rule), selection);
}

TEST(Engine, FindsARuleByCodeOrNameInAnyCase) {
  EXPECT_EQ(find_rule("wc601"), find_rule("Executable-Stack"));
  EXPECT_NE(find_rule("WC601"), nullptr);
  EXPECT_EQ(find_rule("WC6"), nullptr);
  EXPECT_EQ(find_rule(""), nullptr);
}

TEST(Engine, SelectsByPrefixAndByName) {
  EXPECT_TRUE(selected("WC601", {}));
  EXPECT_TRUE(selected("WC601", {{"wc6"}, {}}));
  EXPECT_TRUE(selected("WC601", {{"executable-stack"}, {}}));
  EXPECT_FALSE(selected("WC601", {{"WC5"}, {}}));
  EXPECT_FALSE(selected("WC601", {{}, {"WC"}}));
}

TEST(Engine, LetsTheMoreExactWordWin) {
  EXPECT_TRUE(selected("WC601", {{"WC601"}, {"WC6"}}));
  EXPECT_FALSE(selected("WC601", {{"WC6"}, {"WC601"}}));
  EXPECT_FALSE(selected("WC601", {{"WC601"}, {"executable-stack"}}));
}

TEST(Engine, KnowsAWordThatNoRuleAnswersTo) {
  EXPECT_TRUE(rules::is_selector("WC1"));
  EXPECT_TRUE(rules::is_selector("record-mismatch"));
  EXPECT_FALSE(rules::is_selector("WC999"));
  EXPECT_FALSE(rules::is_selector("record"));
  EXPECT_FALSE(rules::is_selector(""));
}

TEST(Engine, PutsTheWorstFirstThenByCodeThenByPlaceInNaturalOrder) {
  WheelBuilder wheel(wheel_2_17);
  for (const char* path : {"foo/x10.so", "foo/x9.so"})
    wheel.elf(ElfBuilder(path).executable_stack(true).runpath("/opt").edit(
        [](ElfMember& m) { m.facts.has_sections = false; }));
  const Scene scene(wheel);
  std::vector<std::string> order;
  for (const Finding& finding : run_all(scene))
    order.push_back(std::string(finding.rule->code) + ' ' + scene.path(finding));
  EXPECT_THAT(order, testing::ElementsAre("WC601 foo/x9.so", "WC601 foo/x10.so", "WC503 foo/x9.so", "WC503 foo/x10.so",
                                          "WC709 foo/x9.so", "WC709 foo/x10.so"));
}

TEST(Engine, SetsRuleAndSeverityItself) {
  const auto findings = run_all(Scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).executable_stack(true))));
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].rule, find_rule("WC601"));
}

TEST(Engine, CountsWhatIsBeyondAThousandOfOneRule) {
  const auto with = [](std::size_t count) {
    return Scene(WheelBuilder(wheel_2_17).edit([=](WheelFacts& wheel) {
      for (std::size_t i = 0; i < count; ++i)
        wheel.flaws.push_back(
            {.area = WheelArea::Record, .member = {}, .subject = "f" + std::to_string(i), .reason = "is not listed"});
    }));
  };
  EXPECT_EQ(run_all(with(1000)).size(), 1000U);
  const Scene scene = with(1003);
  const auto findings = run_all(scene);
  ASSERT_EQ(findings.size(), 1001U);
  EXPECT_EQ(findings.back().message, "3 more findings of record-mismatch are not shown");
  EXPECT_EQ(findings.back().severity, Severity::Error);
  EXPECT_EQ(scene.path(findings[999]), "f999");
}

TEST(Engine, GivesTheSameAnswerTwice) {
  Scene scene(WheelBuilder(wheel_2_17).elf(ElfBuilder(module_so).executable_stack(true).runpath("")));
  scene.requires_at(module_so, LibraryRequirement{"libbar.so"}, everywhere);
  const auto first = run_all(scene), second = run_all(scene);
  ASSERT_EQ(first.size(), second.size());
  for (std::size_t i = 0; i < first.size(); ++i) EXPECT_EQ(first[i].message, second[i].message);
}

TEST(Engine, FindsNothingInASoundWheel) {
  EXPECT_TRUE(run_all(Scene(WheelBuilder(wheel_2_17)
                                .member("foo/__init__.py")
                                .elf(ElfBuilder(module_so).needed("libbar-1.so").runpath("$ORIGIN/../foo.libs"))
                                .elf(ElfBuilder("foo.libs/libbar-1.so").soname("libbar-1.so"))))
                  .empty());
}

}  // namespace
}  // namespace wheelcheck::test::engine_test
