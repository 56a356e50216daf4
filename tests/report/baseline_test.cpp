// Tests baselines: written, read back, applied to findings; files that are not baselines are rejected.
#include "app/baseline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/shared/registry.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::baseline_test {
namespace {

using testing::HasSubstr;

bool always(std::string_view) { return true; }

Baseline of(WheelReport wheel) {
  wheel.new_baseline = app::known_findings(wheel);
  const auto baseline = app::read_baseline("b.json", app::baseline_text(report_of(std::move(wheel))));
  EXPECT_TRUE(baseline.has_value()) << baseline.error().message;
  return *baseline;
}

TEST(Baseline, TakesOutWhatItHolds) {
  const Baseline baseline = of(broken_wheel());
  WheelReport wheel = broken_wheel();
  const std::size_t all = wheel.findings.size();
  ASSERT_GT(all, 0U);
  app::remove_baseline(wheel, baseline, always);
  EXPECT_TRUE(wheel.findings.empty());
  EXPECT_EQ(wheel.known.size(), all);
  EXPECT_TRUE(wheel.resolved.empty());
}

TEST(Baseline, KnowsAFindingInTheNextRelease) {
  const Baseline baseline = of(broken_wheel());
  WheelReport wheel = broken_wheel();
  wheel.facts.name.version = "99.0";
  for (Finding& finding : wheel.findings) finding.message += " and other words";
  app::remove_baseline(wheel, baseline, always);
  EXPECT_TRUE(wheel.findings.empty());
}

TEST(Baseline, LeavesWhatIsNew) {
  const Baseline baseline = of(kept_wheel());
  WheelReport wheel = broken_wheel();
  const std::size_t all = wheel.findings.size();
  app::remove_baseline(wheel, baseline, always);
  EXPECT_EQ(wheel.findings.size(), all);
  EXPECT_TRUE(wheel.resolved.empty()) << "nothing is known to be gone of a wheel that was not checked";
}

TEST(Baseline, KnowsAsManyOfOneKindAsWereWritten) {
  WheelReport once = broken_wheel(), twice = broken_wheel(), again = broken_wheel();
  once.findings.resize(1);
  for (WheelReport* const wheel : {&twice, &again}) wheel->findings = {once.findings[0], once.findings[0]};
  EXPECT_EQ(of(std::move(again)).findings.at(0).count, 2U);
  app::remove_baseline(twice, of(std::move(once)), always);
  EXPECT_EQ(twice.known.size(), 1U);
  EXPECT_EQ(twice.findings.size(), 1U);
}

TEST(Baseline, NamesWhatIsGoneOfRulesThatWereAsked) {
  const Baseline baseline = of(broken_wheel());
  WheelReport wheel = broken_wheel();
  const std::string code(wheel.findings[0].rule->code);
  wheel.findings.clear();
  app::remove_baseline(wheel, baseline, always);
  EXPECT_EQ(wheel.resolved.size(), baseline.findings.size());
  wheel.resolved.clear();
  app::remove_baseline(wheel, baseline, [&](std::string_view one) { return one != code; });
  for (const KnownFinding& finding : wheel.resolved) EXPECT_NE(finding.code, code);
  EXPECT_LT(wheel.resolved.size(), baseline.findings.size());
}

TEST(Baseline, IsTheSameTextForTheSameFindings) {
  WheelReport a = broken_wheel(), b = broken_wheel();
  std::ranges::reverse(b.findings);
  a.new_baseline = app::known_findings(a);
  b.new_baseline = app::known_findings(b);
  EXPECT_EQ(app::baseline_text(report_of(std::move(a))), app::baseline_text(report_of(std::move(b))));
}

struct Broken {
  const char* text;
  const char* told;
};
class BrokenBaseline : public testing::TestWithParam<Broken> {};
TEST_P(BrokenBaseline, IsRefused) {
  const auto baseline = app::read_baseline("b.json", GetParam().text);
  ASSERT_FALSE(baseline.has_value());
  EXPECT_EQ(baseline.error().code, ErrorCode::Usage);
  EXPECT_THAT(baseline.error().message, HasSubstr(GetParam().told));
}
INSTANTIATE_TEST_SUITE_P(
    All, BrokenBaseline,
    testing::Values(
        Broken{"", "is not valid JSON at 1:1: "}, Broken{"[]", "is an array, not an object"},
        Broken{"{", "is not valid JSON at 1:2: "}, Broken{"{}", "is not a baseline"},
        Broken{R"({"schema":"wheelcheck-report","version":1})", "is not a baseline"},
        Broken{R"({"schema":"wheelcheck-baseline","findings":[]})", "has no version"},
        Broken{R"({"schema":"wheelcheck-baseline","version":2,"findings":[]})",
               "has version 2; this wheelcheck knows 1"},
        Broken{R"({"schema":"wheelcheck-baseline","version":1})", "is damaged"},
        Broken{R"({"schema":"wheelcheck-baseline","version":1,"findings":[],"more":1})", "is damaged"},
        Broken{R"({"schema":"wheelcheck-baseline","version":1,"findings":[{}]})", "/findings/0 is not a finding"},
        Broken{
            R"({"schema":"wheelcheck-baseline","version":1,"findings":[{"fingerprint":"00112233445566778899aabbccddeeff",
                  "wheel":"w","rule":"WC1","member":"","message":"","count":0}]})",
            "/findings/0 is not a finding"},
        Broken{
            R"({"schema":"wheelcheck-baseline","version":1,"findings":[{"fingerprint":"XX112233445566778899aabbccddeeff",
                  "wheel":"w","rule":"WC1","member":"","message":"","count":1}]})",
            "/findings/0 is not a finding"}));

TEST(SetAside, StandsInJsonOnlyWhereThereIsAConfigurationOrABaseline) {
  const SchemaCheck schema(report::find_schema("json")), lines(report::find_schema("json"), "line");
  const auto json = [](const Report& report) {
    return nlohmann::json::parse(find_renderer("json")->render(report, {}));
  };
  Report report = report_of(broken_wheel());
  for (const char* const key : {"configuration", "baseline"}) EXPECT_FALSE(json(report).contains(key)) << key;
  for (const char* const key : {"ignored", "known", "resolved"}) EXPECT_FALSE(json(report)["wheels"][0].contains(key));
  WheelReport& wheel = *report.entries[0].wheel;
  const IgnoreRule by{.rule = "WC102", .path = "", .reason = "why \x1b", .until = {}, .where = "pyproject.toml:3"};
  wheel.ignored.push_back({wheel.findings[0], by});
  wheel.known = wheel.findings;
  wheel.resolved = app::known_findings(wheel);
  report.configuration = ConfigFile{"pyproject.toml", std::string(64, 'a')};
  report.baseline = "b.json";
  const nlohmann::json document = json(report);
  EXPECT_EQ(schema.errors(document), "");
  EXPECT_EQ(document["configuration"]["file"], "pyproject.toml");
  EXPECT_EQ(document["wheels"][0]["ignored"][0]["reason"], "why \\x1b");
  EXPECT_EQ(document["wheels"][0]["ignored"][0]["ignored_by"], "pyproject.toml:3");
  const std::string text = find_renderer("json-lines")->render(report, {});
  const std::string last = text.substr(text.rfind('\n', text.size() - 2) + 1);
  EXPECT_EQ(lines.errors(nlohmann::json::parse(last)), "");
  const std::string full = find_renderer("full")->render(report, {});
  EXPECT_THAT(full, HasSubstr("1 ignored by pyproject.toml"));
  EXPECT_THAT(full, HasSubstr(" known from b.json; "));
}

}  // namespace
}  // namespace wheelcheck::test::baseline_test
