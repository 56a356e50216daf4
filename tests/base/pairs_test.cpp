// Places that two neighbouring bytes tell of, against looking at each.
#include "base/pairs.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace wheelcheck {
namespace {

TEST(Pairs, AreThoseThatStandInTheRangeOfAnyText) {
  std::mt19937 random(7);
  const auto tells = [](Block c, Block d) {
    return ((c == 'a') & ((d == 'b') | (d == 'c'))) | ((c == 'c') & (d == 0));
  };
  for (std::size_t size = 0; size < 70; ++size) {
    for (int round = 0; round < 200; ++round) {
      std::string text(size, 'x');
      for (char& c : text) c = "abcdx"[random() % 5];
      const std::size_t begin = random() % (size + 1), end = begin + random() % (size - begin + 1);
      std::vector<std::size_t> found, wanted;
      EXPECT_FALSE(any_pair(text, begin, end, tells, [&](std::size_t at) {
        found.push_back(at);
        return false;
      }));
      for (std::size_t i = begin; i < end; ++i) {
        const char next = i + 1 < size ? text[i + 1] : '\0';
        if ((text[i] == 'a' && (next == 'b' || next == 'c')) || (text[i] == 'c' && next == '\0')) wanted.push_back(i);
      }
      ASSERT_EQ(found, wanted) << text << ' ' << begin << ' ' << end;
    }
  }
}

TEST(Pairs, AreVisitedUntilOneIsEnough) {
  const std::string text = "abababababababababababababababababab";
  int visited = 0;
  const auto tells = [](Block c, Block d) { return (c == 'a') & (d == 'b'); };
  EXPECT_TRUE(any_pair(text, 0, text.size(), tells, [&](std::size_t at) {
    ++visited;
    return at >= 20;
  }));
  EXPECT_EQ(visited, 11);
}

}  // namespace
}  // namespace wheelcheck
