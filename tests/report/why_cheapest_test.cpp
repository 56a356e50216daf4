// Tests the output of `wheelcheck why WHEEL [TAG] --cheapest`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/tables.h"
#include "report/shared/registry.h"
#include "report/why/why.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test {
namespace {

using testing::HasSubstr;
using testing::Not;

Result<std::string> render(const WheelReport& wheel, std::optional<std::string_view> tag, bool json = false) {
  return report::render_why_cheapest(wheel, tag, cheapest(wheel, knowledge::builtin_knowledge()), {.json = json});
}
std::string text(const WheelReport& wheel, std::optional<std::string_view> tag) {
  const auto answer = render(wheel, tag);
  return answer ? *answer : "error: " + answer.error().message;
}

TEST(WhyCheapest, SaysWhatMustGoAndHow) { expect_golden("why_cheapest.txt", text(broken_wheel(), "manylinux_2_17")); }
TEST(WhyCheapest, SaysWhatNoSymbolMends) {
  expect_golden("why_cheapest_external.txt", text(external_wheel(), std::nullopt));
}

TEST(WhyCheapest, WithoutATagTellsOfTheNearest) {
  EXPECT_EQ(text(broken_wheel(), std::nullopt), text(broken_wheel(), "manylinux_2_27"));
}

TEST(WhyCheapest, SaysThatNothingHasToGo) {
  EXPECT_THAT(text(broken_wheel(), "manylinux_2_34"),
              HasSubstr("compatible with manylinux_2_34_x86_64, nothing has to be removed"));
  WheelReport wheel = broken_wheel();
  for (LevelScore& level : wheel.assessments[0].levels) level.unmet_requirements.clear();
  wheel.assessments[0].best = LevelIndex{7};
  EXPECT_THAT(text(wheel, std::nullopt), HasSubstr("there is no older level"));
}

TEST(WhyCheapest, IsAnErrorForATagThatWasNotMeasured) {
  EXPECT_THAT(text(broken_wheel(), "win_amd64"), HasSubstr("error: "));
  EXPECT_THAT(text(pure_wheel(), std::nullopt), HasSubstr("has no code to compare"));
}

TEST(WhyCheapest, ShowsNothingThatDeceives) {
  const std::string hostile = text(hostile_wheel(), std::nullopt);
  EXPECT_THAT(hostile, Not(HasSubstr("\xff")));
  EXPECT_THAT(hostile, HasSubstr("\\xff\\xfename"));
}

TEST(WhyCheapest, WritesJsonThatTheSchemaKnows) {
  const SchemaCheck schema(report::find_schema("why"));
  for (const WheelReport& wheel : {broken_wheel(), external_wheel(), hostile_wheel()})
    for (const std::optional<std::string_view> tag : {std::optional<std::string_view>(), {"manylinux_2_17"}}) {
      const auto answer = render(wheel, tag, true);
      ASSERT_TRUE(answer);
      EXPECT_EQ(schema.errors(nlohmann::json::parse(*answer)), "");
    }
  const auto document = nlohmann::json::parse(*render(broken_wheel(), std::nullopt, true));
  EXPECT_TRUE(document["asked"].is_null());
  const auto& answer = document["answers"][0];
  EXPECT_EQ(answer["tag"], answer["steps"][0]["tags"].back());
  EXPECT_EQ(answer["steps"][0]["enough"], true);
  EXPECT_EQ(answer["steps"][0]["removals"][0]["symbols"][0]["name"], "fcntl64");
}

}  // namespace
}  // namespace wheelcheck::test
