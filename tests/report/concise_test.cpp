// Tests the format for grep, and the parts that all text formats have in common.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "report/shared/text.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "wheelcheck/wheelcheck.h"

namespace wheelcheck::test::concise_test {
namespace {

std::string concise(const Report& report, bool colour = false) {
  return find_renderer("concise")->render(report, {.colour = colour});
}

TEST(Concise, SaysEverythingInOneLineEach) {
  expect_golden("concise.txt", concise(report_of(broken_wheel(), kept_wheel(), unreadable_input(), hostile_wheel())));
}

TEST(Concise, BreaksNoLineHoweverHostileTheNames) {
  const WheelReport wheel = hostile_wheel();
  const std::size_t lines = wheel.verdict.claims.size() + 1 + wheel.findings.size();
  const std::string text = concise(report_of(hostile_wheel()));
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(text, '\n')), lines);
}

TEST(Concise, ColoursOnlyWhenAsked) {
  EXPECT_EQ(concise(report_of(broken_wheel())).find('\x1b'), std::string::npos);
  EXPECT_NE(concise(report_of(broken_wheel()), true).find("\x1b[1;31mnot compatible\x1b[0m"), std::string::npos);
}

TEST(Renderers, AreListedByName) {
  std::vector<std::string_view> names;
  for (const Renderer* renderer : all_renderers()) {
    names.push_back(renderer->name);
    EXPECT_EQ(find_renderer(renderer->name), renderer);
    EXPECT_FALSE(renderer->summary.empty());
  }
  EXPECT_TRUE(std::ranges::is_sorted(names));
  EXPECT_THAT(names, testing::IsSupersetOf({"auditwheel-json", "concise", "full", "json", "json-lines"}));
  EXPECT_EQ(find_renderer("xml"), nullptr);
}

TEST(Text, CountsCodePointsNotBytes) { EXPECT_EQ(report::columns("na\xC3\xAFve"), 5u); }

TEST(Text, WrapsAtBlanksAndNeverInsideAName) {
  const std::string name(150, 'n');
  EXPECT_EQ(report::wrapped(name, 0, 2, 120), name);
  EXPECT_EQ(report::wrapped("a " + name + " b", 0, 2, 120), "a\n  " + name + "\n  b");
  const std::string text = report::wrapped(std::string(60, 'a') + " " + std::string(60, 'b'), 0, 4, 120);
  EXPECT_EQ(text.find('\n'), 60u);
}

TEST(Text, NamesTheLastOneRatherThanCountingIt) {
  EXPECT_EQ(report::first_few({"a", "b", "c", "d"}, 3), "a, b, c, d");
  EXPECT_EQ(report::first_few({"a", "b", "c", "d", "e"}, 3), "a, b, c and 2 more");
  EXPECT_EQ(report::first_few({}, 3), "");
}

TEST(Text, ShowsOneLongNameRatherThanNone) {
  const std::string name(80, 'n');
  EXPECT_EQ(report::first_few({name, name, name}, 3, 50), name + " and 2 more");
  EXPECT_EQ(report::first_few({name}, 3, 50), name);
  EXPECT_EQ(report::first_few({"a", name}, 3, 50), "a and 1 more");
  EXPECT_EQ(report::first_few({"a", "b", name}, 3, 50), "a, b and 1 more");
}

TEST(Text, TakesTheLastPartOfAPath) {
  EXPECT_EQ(report::base_name("/a/b.whl"), "b.whl");
  EXPECT_EQ(report::base_name("b.whl"), "b.whl");
  EXPECT_EQ(report::base_name("dist/"), "dist");
  EXPECT_EQ(report::base_name("/"), "/");
  EXPECT_EQ(report::base_name(""), "");
}

}  // namespace
}  // namespace wheelcheck::test::concise_test
