// Tests the default text output.
#include <gtest/gtest.h>

#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test {
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

WheelReport wheel_whose_requirements_bring_libraries() {
  WheelReport wheel = wheel_with_many_of_one_kind();
  for (std::uint32_t i = 0; i < 8; ++i)
    wheel.findings[i].evidence = {{"library", "libfoo.so." + std::to_string(i)}, {"required distribution", "foo"}};
  wheel.findings[0].evidence.push_back({"required under", "extra:fast"});
  return wheel;
}

TEST(Full, PrintsWhatCanBePastedIntoTheConfiguration) {
  const std::string text = full(report_of(wheel_whose_requirements_bring_libraries()));
  EXPECT_NE(text.find("\n[[tool.wheelcheck.external]]\nlibrary = \"libfoo.so.0\"\ndist = \"foo\"\nwhen = "
                      "\"extra:fast\"\n[[tool.wheelcheck.external]]\nlibrary = \"libfoo.so.1\"\ndist = \"foo\"\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("# and 5 more, -v shows all\n"), std::string::npos);
  const std::string all = full(report_of(wheel_whose_requirements_bring_libraries()), false, false, 1);
  EXPECT_NE(all.find("libfoo.so.7"), std::string::npos);
  EXPECT_NE(all.find("[[tool.wheelcheck.ignore-rule]]\nrule = \"WC501\"\nreason = \"\"\n"), std::string::npos) << all;
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
}  // namespace wheelcheck::test
