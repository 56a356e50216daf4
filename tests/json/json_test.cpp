#include "json/json.h"

#include <gmock/gmock.h>

namespace wheelcheck::json {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::vector<std::string> problems_of(std::string_view text, std::size_t max_depth = 16) {
  const auto document = parse(text, max_depth);
  return document ? std::vector<std::string>{} : document.error();
}

TEST(Parse, ReadsADocumentAndSkipsAByteOrderMark) {
  EXPECT_EQ((*parse(R"({"a": [1, {"a": null}]})"))["a"][0], 1);
  EXPECT_EQ(*parse("\xEF\xBB\xBF[]"), nlohmann::json::array());
}

TEST(Parse, SyntaxErrorHasLineAndColumn) {
  EXPECT_THAT(problems_of(""), ElementsAre(StartsWith("is not valid JSON at 1:1: ")));
  EXPECT_THAT(problems_of("{\n  \"a\": }"), ElementsAre(StartsWith("is not valid JSON at 2:8: ")));
  EXPECT_THAT(problems_of("{} {}"), ElementsAre(StartsWith("is not valid JSON at 1:4: ")));
  EXPECT_THAT(problems_of("[\"\xff\"]"), ElementsAre(StartsWith("is not valid JSON at 1:3: ")));
  EXPECT_THAT(problems_of("[1e999]"), ElementsAre(StartsWith("is not valid JSON at ")));
}

TEST(Parse, EveryRepeatedKeyIsAProblem) {
  EXPECT_THAT(problems_of(R"({"a": 1, "a": {"b": 1, "b": 2}})"),
              ElementsAre("has the key \"a\" twice in one object; keep one of them",
                          "has the key \"b\" twice in one object; keep one of them"));
  EXPECT_THAT(problems_of(R"([{"a": {"a": 1}}, {"a": 1}])"), ElementsAre());
}

TEST(Parse, DepthIsLimited) {
  EXPECT_THAT(problems_of("[[[]]]", 3), ElementsAre());
  EXPECT_THAT(problems_of("[[[[]]]]", 3), ElementsAre("is nested deeper than 3 levels"));
  EXPECT_THAT(problems_of(std::string(60'000, '[')), ElementsAre("is nested deeper than 16 levels"));
  EXPECT_THAT(problems_of("{\"a\": " + std::string(60'000, '[') + std::string(60'000, ']') + "}"),
              ElementsAre("is nested deeper than 16 levels"));
}

TEST(Parse, RepeatedKeysAreListedUpToAHundred) {
  std::string text = "{\"a\": 1";
  for (int i = 0; i < 1000; ++i) text += ", \"a\": 1";
  EXPECT_EQ(problems_of(text + "}").size(), 100U);
}

// With a callback, nlohmann's parser takes minutes for this.
TEST(Parse, TakesAnArrayOfManyObjects) {
  std::string text = "[{}";
  for (int i = 0; i < 300'000; ++i) text += ",{}";
  EXPECT_EQ(parse(text + "]")->size(), 300'001U);
}

TEST(PointerStep, EscapesTildeAndSlash) { EXPECT_EQ(pointer_step("/a", "b~/c"), "/a/b~0~1c"); }

}  // namespace
}  // namespace wheelcheck::json
