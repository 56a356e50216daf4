// Compares the vectorised scan for two neighbouring bytes with a simple loop.
#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

#include "base/byte_scan.h"

namespace wheelcheck::test::pairs_test {
namespace {

// All small sizes, and some around the size of wide blocks.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (std::size_t size = 0; size < 70; ++size) all.push_back(size);
  for (std::size_t size = 250; size < 330; ++size) all.push_back(size);
  return all;
}

TEST(Pairs, AreThoseThatStandInTheRangeOfAnyText) {
  std::mt19937 random(7);
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 'a') & ((d == 'b') | (d == 'c'))) | ((c == 'c') & (d == 0));
  };
  for (const std::size_t size : sizes()) {
    for (int round = 0; round < 200; ++round) {
      std::string text(size, 'x');
      for (char& c : text) c = "abcdx"[random() % 5];
      const std::size_t begin = random() % (size + 1), end = begin + random() % (size - begin + 1);
      std::vector<std::size_t> found, wanted;
      EXPECT_FALSE(any_pair(text, begin, end, matches, [&](std::size_t at) {
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
  const auto matches = [](const auto& c, const auto& d, auto& marks) { marks = (c == 'a') & (d == 'b'); };
  EXPECT_TRUE(any_pair(text, 0, text.size(), matches, [&](std::size_t at) {
    ++visited;
    return at >= 20;
  }));
  EXPECT_EQ(visited, 11);
}

TEST(Pairs, AreVisitedUntilOneIsEnoughInLongTexts) {
  std::string text(2000, 'b');
  for (std::size_t i = 0; i < text.size(); i += 100) text[i] = 'a';
  std::vector<std::size_t> visited;
  const auto matches = [](const auto& c, const auto& d, auto& marks) { marks = (c == 'a') & (d == 'b'); };
  EXPECT_TRUE(any_pair(text, 50, text.size(), matches, [&](std::size_t at) {
    visited.push_back(at);
    return at >= 300;
  }));
  EXPECT_EQ(visited, (std::vector<std::size_t>{100, 200, 300}));
}

}  // namespace
}  // namespace wheelcheck::test::pairs_test
