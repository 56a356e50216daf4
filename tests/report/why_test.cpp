// Tests the output of `wheelcheck why WHEEL TAG`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::why_test {
namespace {

using report::why_answer;
using testing::HasSubstr;
using testing::Not;

std::string why(const WheelReport& wheel, std::string_view tag) {
  const Result<report::Answer> answer = why_answer(wheel, tag);
  return answer ? as_text(*answer) : "error: " + answer.error().message;
}

TEST(Why, ListsFileLibraryNodeAndSymbols) { expect_golden("why.txt", why(broken_wheel(), "manylinux_2_5_x86_64")); }

TEST(Why, DoesNotAdviseATagThatTheWheelHas) {
  WheelReport wheel = broken_wheel();
  EXPECT_THAT(why(wheel, "manylinux_2_5"), HasSubstr("--platform-tag manylinux_2_28_x86_64"));
  wheel.facts.name.platforms.push_back(parse_platform_tag("manylinux_2_28_x86_64"));
  EXPECT_THAT(why(wheel, "manylinux_2_5"), Not(HasSubstr("--platform-tag")));
}

TEST(Why, ListsEveryKindOfObstacle) { expect_golden("why_external.txt", why(external_wheel(), "manylinux_2_17")); }

TEST(Why, TakesATagWithoutItsMachine) {
  EXPECT_EQ(why(broken_wheel(), "manylinux_2_17"), why(broken_wheel(), "manylinux_2_17_x86_64"));
}

TEST(Why, TakesALegacyAlias) {
  EXPECT_EQ(why(broken_wheel(), "manylinux2014"), why(broken_wheel(), "manylinux_2_17_x86_64"));
  EXPECT_EQ(why(broken_wheel(), "manylinux1_x86_64"), why(broken_wheel(), "manylinux_2_5_x86_64"));
}

TEST(Why, SaysThatATagIsMet) {
  const std::string text = why(broken_wheel(), "manylinux_2_28");
  EXPECT_THAT(text, HasSubstr("compatible with manylinux_2_28_x86_64"));
  EXPECT_THAT(text, Not(HasSubstr("not met")));
  EXPECT_THAT(why(broken_wheel(), "linux"), HasSubstr("compatible with linux_x86_64"));
}

TEST(Why, JudgesATagBetweenTwoLevelsByTheOlderOne) {
  const std::string text = why(broken_wheel(), "manylinux_2_20");
  EXPECT_THAT(text, HasSubstr("no policy is known for manylinux_2_20: manylinux_2_17_x86_64 judges it"));
  EXPECT_THAT(why(broken_wheel(), "manylinux_2_99"), HasSubstr("manylinux_2_41_x86_64 judges it"));
}

TEST(Why, ListsTheKnownTagsForAnUnknownOne) {
  for (const char* tag : {"", "manylinux", "manylinux_2_4", "manylinux_2_17_aarch64", "musllinux_1_2", "any",
                          "win_amd64", "linux_x86_64_v3"}) {
    const WheelReport wheel = broken_wheel();
    const Result<report::Answer> text = why_answer(wheel, tag);
    ASSERT_FALSE(text) << tag;
    EXPECT_EQ(text.error().code, ErrorCode::Usage);
    EXPECT_THAT(text.error().message, HasSubstr("; there are manylinux_")) << tag;
  }
  EXPECT_THAT(why(pure_wheel(), "manylinux_2_17"), HasSubstr("has no code to compare"));
}

TEST(Why, AnswersForEachMachineOfTheWheel) {
  WheelReport wheel = broken_wheel();
  Assessment other = scored({"linux_aarch64", "manylinux_2_17_aarch64"}, {}, 0);
  other.arch = Arch::aarch64;
  wheel.assessments.push_back(other);
  const std::string text = why(wheel, "manylinux2014");
  EXPECT_THAT(text, HasSubstr("not compatible with manylinux_2_17_x86_64"));
  EXPECT_THAT(text, HasSubstr("compatible with manylinux_2_17_aarch64"));
}

TEST(Why, FindsAPolicyByItsOwnName) {
  WheelReport wheel = broken_wheel();
  wheel.assessments[0].level_names[2] = "our_servers_x86_64";
  EXPECT_THAT(why(wheel, "our_servers"), HasSubstr("compatible with our_servers_x86_64"));
}

TEST(Why, WritesJsonThatTheSchemaKnows) {
  const SchemaCheck schema(report::find_schema("why"));
  for (const WheelReport& wheel : {broken_wheel(), external_wheel(), hostile_wheel()}) {
    const Result<report::Answer> found = why_answer(wheel, "manylinux_2_17");
    ASSERT_TRUE(found);
    EXPECT_EQ(schema.errors(nlohmann::json::parse(as_json(*found))), "");
  }
  const WheelReport wheel = broken_wheel();
  const nlohmann::json answer = nlohmann::json::parse(as_json(*why_answer(wheel, "manylinux2014")))["answers"][0];
  EXPECT_EQ(answer["fits"], false);
  EXPECT_EQ(answer["unmet_requirements"].size(), 3u);
  EXPECT_EQ(answer["unmet_requirements"][0]["version"], "GLIBCXX_3.4.22");
}

}  // namespace
}  // namespace wheelcheck::test::why_test
