// Tests severity overrides and ignore rules of a project.
#include "rules/engine.h"
#include "tests/rules/scene.h"

namespace wheelcheck::test::ignores_test {
namespace {

// Two files with an executable stack, and one with a search path of the build machine.
Scene scene() {
  return Scene(WheelBuilder(wheel_2_17)
                   .elf(ElfBuilder("foo/a.so").executable_stack(true))
                   .elf(ElfBuilder("foo/sub/b.so").executable_stack(true).runpath("/opt/lib").needed("libx.so")));
}
const rules::RuleSelection some{.select = {"WC503", "WC601"}, .ignore = {}};

std::vector<std::string> names(const Scene& in, const std::vector<Finding>& findings) {
  std::vector<std::string> out;
  for (const Finding& finding : findings)
    out.push_back(std::string(name_of(finding.severity)) + ' ' + std::string(finding.rule->code) + ' ' +
                  in.path(finding));
  return out;
}
rules::AppliedIgnores applied(const Scene& in, const std::vector<IgnoreRule>& ignores,
                              const std::optional<Date>& today = std::nullopt) {
  return rules::apply_ignores(in.wheel, in.run(some, in.claims()), ignores, some, today);
}

TEST(Severities, AreSetByTheMostExactWordAndSortedAnew) {
  const Scene in = scene();
  auto findings = in.run(some, in.claims());
  const std::vector<SeverityOverride> severities = {
      {"WC601", Severity::Note}, {"WC", Severity::Error}, {"WC6", Severity::Warning}};
  rules::set_severities(in.wheel, findings, severities);
  EXPECT_THAT(names(in, findings),
              testing::ElementsAre("error WC503 foo/sub/b.so", "note WC601 foo/a.so", "note WC601 foo/sub/b.so"));
}

TEST(Severities, OfTwoThatAreAsExactTheLaterOneCounts) {
  const Scene in = scene();
  auto findings = in.run(some, in.claims());
  const std::vector<SeverityOverride> severities = {{"WC601", Severity::Note}, {"executable-stack", Severity::Warning}};
  rules::set_severities(in.wheel, findings, severities);
  EXPECT_THAT(names(in, findings), testing::ElementsAre("warning WC503 foo/sub/b.so", "warning WC601 foo/a.so",
                                                        "warning WC601 foo/sub/b.so"));
}

TEST(Ignores, TakeOutTheirRuleAtTheirPath) {
  const Scene in = scene();
  const auto out = applied(in, {{.rule = "executable-stack", .path = "foo/*.so", .reason = "why"}});
  EXPECT_THAT(names(in, out.kept), testing::ElementsAre("error WC601 foo/sub/b.so", "warning WC503 foo/sub/b.so"));
  ASSERT_EQ(out.ignored.size(), 1U);
  EXPECT_EQ(in.path(out.ignored[0].finding), "foo/a.so");
  EXPECT_EQ(out.ignored[0].by.reason, "why");
  EXPECT_EQ(out.uses.at(0).findings, 1U);
}

TEST(Ignores, WithoutAPathTakeAllOfTheirRule) {
  EXPECT_EQ(applied(scene(), {{.rule = "WC6", .path = "", .reason = ""}}).ignored.size(), 2U);
}

TEST(Ignores, GiveAFindingToTheFirstThatMatches) {
  const std::vector<IgnoreRule> both = {{.rule = "WC601", .path = "**/b.so", .reason = "1"},
                                        {.rule = "WC601", .path = "", .reason = "2"}};
  const auto out = applied(scene(), both);
  EXPECT_EQ(out.uses.at(0).findings, 1U);
  EXPECT_EQ(out.uses.at(1).findings, 1U);
}

TEST(Ignores, HoldThroughTheirLastDay) {
  const std::vector<IgnoreRule> one = {{.rule = "WC601", .path = "", .reason = "", .until = Date{2027, 1, 31}}};
  EXPECT_EQ(applied(scene(), one).ignored.size(), 2U) << "without a date nothing ends";
  EXPECT_EQ(applied(scene(), one, Date{2027, 1, 31}).ignored.size(), 2U);
  const auto after = applied(scene(), one, Date{2027, 2, 1});
  EXPECT_TRUE(after.ignored.empty());
  EXPECT_EQ(*after.uses.at(0).expired, (Date{2027, 2, 1}));
}

TEST(Ignores, KnowWhetherTheirRuleTookPart) {
  const auto out = applied(scene(), {{.rule = "WC601", .path = "x", .reason = ""},
                                     {.rule = "WC7", .path = "", .reason = ""},
                                     {.rule = "WC", .path = "x", .reason = ""}});
  EXPECT_TRUE(out.uses.at(0).judged);
  EXPECT_FALSE(out.uses.at(1).judged);
  EXPECT_TRUE(out.uses.at(2).judged);
}

}  // namespace
}  // namespace wheelcheck::test::ignores_test
