#include "wheelcheck/string_set.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace wheelcheck::test::string_set_test {
namespace {

using testing::ElementsAre;

TEST(StringSet, HoldsEachTextOnceInOrder) {
  const StringSet set{"b", "", "a", "b"};
  EXPECT_THAT(set, ElementsAre("", "a", "b"));
  EXPECT_TRUE(set.contains(""));
  EXPECT_FALSE(set.contains("aa"));
  EXPECT_EQ(set.find("c"), set.end());
  EXPECT_EQ(*set.find("b"), "b");
}

TEST(StringSet, TellsWhetherATextIsNew) {
  StringSet set;
  EXPECT_TRUE(set.empty());
  EXPECT_TRUE(set.insert("m").second);
  EXPECT_FALSE(set.insert("m").second);
  EXPECT_EQ(*set.insert("k").first, "k");
  EXPECT_THAT(set, ElementsAre("k", "m"));
}

TEST(StringSet, ACopyIsAValueOfItsOwn) {
  const StringSet first{"a", "c"};
  StringSet second = first;
  EXPECT_EQ(second.begin(), first.begin());  // shared memory, as long as neither is changed
  second.insert("b");
  StringSet third = second;
  const std::vector<std::string> more{"d", "a"};
  third.insert(more.begin(), more.end());
  EXPECT_THAT(first, ElementsAre("a", "c"));
  EXPECT_THAT(second, ElementsAre("a", "b", "c"));
  EXPECT_THAT(third, ElementsAre("a", "b", "c", "d"));
  EXPECT_FALSE(first == second);
  EXPECT_TRUE((second == StringSet{"c", "b", "a"}));
}

}  // namespace
}  // namespace wheelcheck::test::string_set_test
