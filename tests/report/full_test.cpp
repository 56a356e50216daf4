// Tests the default text output.
#include <gtest/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::full_test {
namespace {

std::string full(const Report& report, bool facts_only = false, bool colour = false, int verbosity = 0) {
  return find_renderer("full")->render(report, {.colour = colour, .facts_only = facts_only, .verbosity = verbosity});
}

TEST(Full, ShowsABrokenPromiseWithFileSymbolAndRemedy) { expect_golden("broken.txt", full(report_of(broken_wheel()))); }

TEST(Full, ShowsALibraryThatNobodyPromises) { expect_golden("external.txt", full(report_of(external_wheel()))); }

TEST(Full, ShowsAKeptPromiseInAFewLines) { expect_golden("kept.txt", full(report_of(kept_wheel()))); }

TEST(Full, ShowsSeveralInputsOneOfThemUnreadable) {
  expect_golden("several.txt", full(report_of(pure_wheel(), unreadable_input(), hostile_wheel())));
}

TEST(Full, ListsEveryFileAndOnlyRemarksForShow) {
  expect_golden("show.txt", full(report_of(broken_wheel()), true));
  const std::string kept = full(report_of(kept_wheel()), true);
  for (int i = 10; i < 30; ++i) EXPECT_NE(kept.find("tidy/_part" + std::to_string(i)), std::string::npos) << i;
  EXPECT_EQ(kept.find("fix:"), std::string::npos);
}

WheelReport wheel_with_many_of_one_kind() {
  WheelReport wheel = kept_wheel();
  Finding first = {.rule = &empty_runpath,
                   .severity = Severity::Warning,
                   .place = AtElf{ElfIndex{0}},
                   .message = "RUNPATH has an empty element",
                   .evidence = {{"RUNPATH", "a:"}},
                   .fix = "patchelf --remove-rpath"};
  for (std::uint32_t i = 0; i < 20; ++i) {
    first.place = AtElf{ElfIndex{i}};
    wheel.findings.insert(wheel.findings.begin() + i, first);  // before the notes
  }
  return wheel;
}

TEST(Full, SaysOnceWhatIsTrueOfManyFiles) {
  const std::string text = full(report_of(wheel_with_many_of_one_kind()), false, false, 1);
  EXPECT_NE(text.find("  --> tidy/_part19"), std::string::npos);
  EXPECT_NE(text.find("and 10 more places\n   |  RUNPATH: a:\n"), std::string::npos);
  EXPECT_EQ(text.find("RUNPATH has an empty element"), text.rfind("RUNPATH has an empty element"));
  const std::string grouped = full(report_of(wheel_with_many_of_one_kind()));
  EXPECT_NE(grouped.find("RUNPATH has an empty element (20 files)\n  tidy/_part"), std::string::npos) << grouped;
  EXPECT_NE(grouped.find("and 17 more (-v shows all)\n  fix: patchelf --remove-rpath\n"), std::string::npos) << grouped;
}

// A screen has 25 lines: first the rows and the blank lines of warnings are left out, then their fixes from the end.
TEST(Full, FitsOnAScreen) {
  std::vector<Rule> rules;
  for (int i = 0; i < 10; ++i)
    rules.push_back({.code = "WC501", .name = "a-rule", .severity = Severity::Warning, .check = nullptr});
  const auto text_of = [&](std::size_t warnings) {
    WheelReport wheel = broken_wheel();
    wheel.findings.resize(1);  // the error
    for (std::size_t i = 0; i < warnings; ++i)
      wheel.findings.push_back({.rule = &rules[i],
                                .severity = Severity::Warning,
                                .place = AtElf{ElfIndex{0}},
                                .message = "warning " + std::to_string(i),
                                .evidence = {},
                                .fix = "change " + std::to_string(i)});
    return full(report_of(std::move(wheel)));
  };
  for (const std::size_t warnings : {1U, 3U, 5U, 7U, 9U, 10U}) {
    const std::string text = text_of(warnings);
    EXPECT_LE(std::ranges::count(text, '\n'), 25) << text;
    EXPECT_TRUE(text.contains("warning " + std::to_string(warnings - 1))) << text;
    EXPECT_LT(text.find("error WC102"), text.find("warning WC501"));
  }
  EXPECT_FALSE(text_of(1).contains("-v shows the files"));
  EXPECT_TRUE(text_of(5).contains("fix: change 4\n  (-v shows the files)\n")) << text_of(5);
  const std::string most = text_of(9);
  EXPECT_TRUE(most.contains("fix: change 0\n")) << most;
  EXPECT_FALSE(most.contains("fix: change 8\n")) << most;
  EXPECT_TRUE(most.contains("\n  (-v shows the files, and how to fix the other warnings)\n")) << most;
}

WheelReport wheel_with_libraries_of_others() {
  WheelReport wheel = kept_wheel();
  for (int i = 1; i < 7; ++i)
    wheel.resolution.sources.push_back({.kind = LibrarySource::Kind::Distribution,
                                        .name = "base-" + std::to_string(i),
                                        .extras = {},
                                        .libraries = {"liba.so." + std::to_string(i), "libb.so"}});
  wheel.resolution.sources[3].extras = {"fast"};
  return wheel;
}

TEST(Full, NamesTheDistributionsOfLibraries) {
  const std::string text = full(report_of(wheel_with_libraries_of_others()));
  EXPECT_NE(text.find(", with libraries of base-1,"), std::string::npos) << text;
  EXPECT_NE(text.find("and 3 more"), std::string::npos) << text;
  EXPECT_EQ(text.find("liba.so"), std::string::npos) << text;
  const std::string all = full(report_of(wheel_with_libraries_of_others()), false, false, 1);
  EXPECT_NE(all.find("\n  libraries of base-1: liba.so.1, libb.so\n"), std::string::npos) << all;
  EXPECT_NE(all.find("\n  libraries of base-4 (extra fast): liba.so.4, libb.so\n"), std::string::npos) << all;
}

TEST(Full, PrintsWhatCanBePastedIntoTheConfiguration) {
  const std::string all = full(report_of(wheel_with_many_of_one_kind()), false, false, 1);
  EXPECT_NE(all.find("[[tool.wheelcheck.ignore-rule]]\nrule = \"WC501\"\nreason = \"\"\n"), std::string::npos) << all;
}

// That no tag can be claimed is in the headline; the reasons follow.
TEST(Full, SaysOnceThatNoTagCanBeClaimed) {
  const Rule claim{.code = "WC101", .name = "tag-not-satisfied", .severity = Severity::Error, .check = nullptr};
  Report report = report_of(broken_wheel());
  WheelReport& wheel = *report.entries[0].wheel;
  wheel.findings.insert(wheel.findings.begin(), {.rule = &claim,
                                                 .severity = Severity::Error,
                                                 .place = WholeWheel{},
                                                 .message = "claims too much",
                                                 .evidence = {},
                                                 .fix = "claim less"});
  const auto has_block = [&] { return full(report).contains("error WC101"); };
  EXPECT_TRUE(has_block());  // a lower tag could be claimed, and the fix says how
  wheel.verdict.best_tag = "linux_x86_64";
  EXPECT_FALSE(has_block());
  wheel.findings.resize(1);
  EXPECT_TRUE(has_block());  // no other error gives the reason
}

TEST(Full, PrintsNothingToPasteForOtherFindings) {
  EXPECT_EQ(full(report_of(broken_wheel())).find("[["), std::string::npos);
  EXPECT_EQ(full(report_of(kept_wheel()), false, false, 1).find("[["), std::string::npos);
}

TEST(Full, LinksRuleCodesWhereAsked) {
  const Report report = report_of(wheel_with_many_of_one_kind());
  const RenderOptions how{.colour = true, .links = "https://example.org/rules"};
  EXPECT_NE(find_renderer("full")
                ->render(report, how)
                .find("\x1b]8;;https://example.org/rules/WC501-runpath-empty-element.md\x1b\\\x1b[1mWC501"),
            std::string::npos);
}

TEST(Full, ColoursOnlyWhenAsked) {
  EXPECT_EQ(full(report_of(broken_wheel())).find('\x1b'), std::string::npos);
  expect_golden("broken_colour.txt", full(report_of(broken_wheel()), false, true));
}

TEST(Full, LetsNothingOutOfTheWheelMoveTheTerminal) {
  for (const bool show : {false, true}) {
    const std::string text = full(report_of(hostile_wheel()), show);
    for (const char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << int(c);
    EXPECT_TRUE(text.find("\xE2\x80\xAE") == std::string::npos);
    EXPECT_TRUE(text.find('\xff') == std::string::npos);
  }
}

TEST(Full, IsTheSameEveryTime) { EXPECT_EQ(full(report_of(broken_wheel())), full(report_of(broken_wheel()))); }

TEST(Full, SaysSoWhenNothingWasGiven) { EXPECT_EQ(full(report_of()), "PASSED: no wheel was checked\n"); }

}  // namespace
}  // namespace wheelcheck::test::full_test
