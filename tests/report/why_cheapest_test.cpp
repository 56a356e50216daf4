// Tests the output of `wheelcheck why WHEEL [TAG] --cheapest`.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "knowledge/tables.h"
#include "report/answers/answers.h"
#include "report/shared/registry.h"
#include "tests/report/answers.h"
#include "tests/report/golden.h"
#include "tests/report/sample.h"
#include "tests/report/schema.h"

namespace wheelcheck::test::why_cheapest_test {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string text(const WheelReport& wheel, std::optional<std::string> tag, std::string_view format = "text") {
  const auto paths = cheapest(wheel, knowledge::builtin_knowledge());
  const auto answer = report::why_cheapest_answer(wheel, std::move(tag), paths);
  return answer ? render_answer(format, *answer, {}) : "error: " + answer.error().message;
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
    for (const std::optional<std::string>& tag : {std::optional<std::string>(), {"manylinux_2_17"}})
      EXPECT_EQ(schema.errors(nlohmann::json::parse(text(wheel, tag, "json"))), "");
  const auto document = nlohmann::json::parse(text(broken_wheel(), std::nullopt, "json"));
  EXPECT_TRUE(document["asked"].is_null());
  const auto& answer = document["answers"][0];
  EXPECT_EQ(answer["tag"], answer["steps"][0]["tags"].back());
  EXPECT_EQ(answer["steps"][0]["enough"], true);
  EXPECT_EQ(answer["steps"][0]["removals"][0]["symbols"][0]["name"], "fcntl64");
}

}  // namespace
}  // namespace wheelcheck::test::why_cheapest_test
