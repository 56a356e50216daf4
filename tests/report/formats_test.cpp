// Tests the formats that others define with golden files: a compatible wheel, one that fails and an input that is not a
// wheel in one run. tests/output_formats compares the same formats with their schemas.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "report/check/ci_summary.h"
#include "report/shared/fingerprint.h"
#include "report/shared/text.h"
#include "tests/report/analysed.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::formats_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string rendered(std::string_view format, const Report& report, bool facts_only = false) {
  return find_renderer(format)->render(report, {.facts_only = facts_only});
}
Report three() { return report_of(pure_wheel(), broken_wheel(), unreadable_input()); }

TEST(Formats, AreThoseOfTheGoldens) {
  expect_golden("three.sarif", rendered("sarif", three()));
  expect_golden("three.github", rendered("github", three()));
  expect_golden("three.md", rendered("markdown", three()));
  expect_golden("three.junit.xml", rendered("junit", three()));
  expect_golden("three.cdx.json", rendered("cyclonedx", three()));
}

TEST(CycloneDx, TellsLibrariesWithTheirGrounds) {
  expect_golden("leaking.cdx.json", rendered("cyclonedx", report_of(leaking_wheel())));
}

// Without the output of src/report/page, which is checked in a browser.
TEST(Html, IsTheBodyOfTheGolden) {
  Report report = three();
  report.entries.push_back({leaking_wheel(), std::nullopt});
  const std::string page = rendered("html", report);
  const std::size_t from = page.find("<header>"), to = page.find("</footer>");
  ASSERT_NE(from, page.npos);
  ASSERT_NE(to, page.npos);
  expect_golden("four.html", page.substr(from, to - from));
}

std::size_t count_of(std::string_view text, std::string_view what) {
  std::size_t count = 0;
  for (std::size_t at = text.find(what); at != text.npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

// As the default text does; programs get each finding.
TEST(Formats, ShowOnceWhatIsTrueOfManyFiles) {
  WheelReport wheel = kept_wheel();
  std::vector<Finding> findings;
  for (std::uint32_t i = 0; i < 20; ++i)
    findings.push_back({.rule = &empty_runpath,
                        .severity = Severity::Warning,
                        .place = AtElf{ElfIndex{i}},
                        .message = i < 18 ? "fails one way" : "fails two ways",
                        .evidence = {{"RUNPATH", i < 18 ? "a:" : "a::"}},
                        .fix = i < 18 ? "remove it" : "remove both"});
  wheel.findings = std::move(findings);
  const Report report = report_of(std::move(wheel));
  const auto shown = [&](std::string_view format) {
    const std::string text = rendered(format, report);
    return std::pair(count_of(text, "fails one way"), count_of(text, "remove it"));
  };
  EXPECT_EQ(shown("full"), std::pair(std::size_t{1}, std::size_t{1}));
  for (const std::string_view format : {"markdown", "junit", "github", "html"})
    EXPECT_EQ(shown(format), std::pair(std::size_t{1}, std::size_t{1})) << format;
  for (const std::string_view format : {"json", "sarif"}) EXPECT_GE(shown(format).first, 18U) << format;
  EXPECT_THAT(rendered("markdown", report), HasSubstr(" and 17 more files&#58; fails one way"));
  EXPECT_THAT(rendered("junit", report), HasSubstr("\n  fix: remove it\n  fix: remove both\n"));
  const std::string page = rendered("html", report);
  EXPECT_EQ(count_of(page, "<article"), 1U);
  EXPECT_EQ(count_of(page, "class=\"place\""), 20U);
  EXPECT_THAT(page, HasSubstr("<h5>fails two ways</h5>"));
}

TEST(Formats, FailWhereTheExitCodeDoes) {
  Report report = report_of(broken_wheel());
  EXPECT_THAT(rendered("junit", report), HasSubstr("failures=\"1\""));
  EXPECT_THAT(rendered("sarif", report), HasSubstr("\"exitCode\": 1"));
  EXPECT_THAT(rendered("junit", report, true), HasSubstr("failures=\"0\""));
  EXPECT_THAT(rendered("sarif", report, true), HasSubstr("\"exitCode\": 0"));
  report.entries[0].wheel->fail_on = Severity::Warning;
  EXPECT_THAT(rendered("junit", report), HasSubstr("failures=\"2\""));
  report.entries[0].wheel->fail_on = std::nullopt;
  EXPECT_THAT(rendered("junit", report), HasSubstr("failures=\"0\""));
}

TEST(Formats, SayNothingOfWhereTheFilesLie) {
  for (const std::string_view format : {"sarif", "github", "markdown", "junit", "cyclonedx", "html"})
    EXPECT_THAT(rendered(format, three()), Not(HasSubstr("/home/someone"))) << format;
}

TEST(Formats, ShowNoControlCharacterHoweverHostileTheNames) {
  for (const std::string_view format : {"sarif", "github", "markdown", "junit", "cyclonedx", "html"}) {
    const std::string text = rendered(format, report_of(hostile_wheel()));
    for (const char* const bad : {"\x1b", "\x07", "\r", "\xE2\x80\xAE", "\xff"})
      EXPECT_THAT(text, Not(HasSubstr(bad))) << format;
  }
}

TEST(Markup, LeavesNothingThatEndsATextOrAnAttribute) {
  EXPECT_EQ(report::markup("a<b>&\"'\x1b"), "a&lt;b&gt;&amp;&quot;&#39;\\x1b");
  EXPECT_EQ(report::markup("]]>"), "]]&gt;");
  EXPECT_EQ(report::markup("\xEF\xBF\xBE\xEF\xBF\xBD"), "\\u{fffe}\xEF\xBF\xBD");
  EXPECT_EQ(report::markup("C:\\x"), "C:\\\\x");
  EXPECT_EQ(report::markup_shown("C:\\\\x<"), "C:\\\\x&lt;");
}

TEST(Markup, LeavesNothingThatMeansSomethingToMarkdown) {
  EXPECT_EQ(report::markdown("a|b`c"), "a&#124;b&#96;c");
  EXPECT_EQ(report::markdown("a-1.0_b WWW.x"), "a-1.0&#95;b WWW&#46;x");
  EXPECT_EQ(report::markdown("x@user"), "x<code>&#64;</code>user");
  EXPECT_EQ(report::markdown_code("<b>\n"), "<code>&#60;b&#62;&#92;x0a</code>");
}

TEST(Markup, WritesASegmentOfAUri) {
  EXPECT_EQ(report::uri_segment("a-1.0+cu.whl"), "a-1.0%2Bcu.whl");
  EXPECT_EQ(report::uri_segment("x:y/\xC3\xA9%"), "x%3Ay%2F%C3%A9%25");
}

TEST(Fingerprint, LeavesOutWhatChangesWithEveryRelease) {
  EXPECT_EQ(report::stable_name("gridfit.libs/libgridmath-5d1c8e02.so.1"), "gridfit.libs/libgridmath.so");
  EXPECT_EQ(report::stable_name("libz-9a8b7c6d.so.1.3.1"), "libz.so");
  EXPECT_EQ(report::stable_name("libopenblas64_p-r0-0cf96a72.3.23.dev.so"), "libopenblas64_p-r0.dev.so");
  EXPECT_EQ(report::stable_name("foo-1.2.3.data/purelib/x.so"), "foo.data/purelib/x.so");
  EXPECT_EQ(report::stable_name("pkg/_x.cpython-311-x86_64-linux-gnu.so"), "pkg/_x.cpython-311-x86_64-linux-gnu.so");
  EXPECT_EQ(report::stable_name("libfoo-deadbeef"), "libfoo");
  EXPECT_EQ(report::stable_name("libfoo-beef.so"), "libfoo-beef.so");
  EXPECT_EQ(report::stable_name(""), "");
}

TEST(Fingerprint, IsTheSameInTheNextRelease) {
  WheelReport now = broken_wheel(), next = broken_wheel();
  next.facts.name.version = "1.5.0";
  next.facts.file = "measure-1.5.0-cp311-cp311-manylinux_2_17_x86_64.whl";
  next.facts.name.platforms.pop_back();
  next.findings[0].message = "said in other words";
  EXPECT_EQ(report::fingerprint(now, now.findings[0]), report::fingerprint(next, next.findings[0]));
  EXPECT_NE(report::fingerprint(now, now.findings[0]), report::fingerprint(now, now.findings[1]));
  next.facts.name.distribution = "Other";
  EXPECT_NE(report::fingerprint(now, now.findings[0]), report::fingerprint(next, next.findings[0]));
}

TEST(Fingerprint, TellsTheBuildsOfOneReleaseApart) {
  WheelReport now = broken_wheel(), other = broken_wheel();
  other.facts.name.python = {"cp312"};
  EXPECT_NE(report::fingerprint(now, now.findings[0]), report::fingerprint(other, other.findings[0]));
}

TEST(Outcome, ListsTheWorstOfAllWheelsFirst) {
  const Report report = report_of(kept_wheel(), broken_wheel(), external_wheel());
  std::vector<Severity> severities;
  for (const report::ReportedFinding& reported : report::worst_first(report))
    severities.push_back(reported.finding->severity);
  EXPECT_THAT(severities, testing::ElementsAre(Severity::Error, Severity::Error, Severity::Warning, Severity::Note));
}

}  // namespace
}  // namespace wheelcheck::test::formats_test
