#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <vector>

#include "base/budget.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "wheelcheck/member.h"
#include "wheelcheck/string_pool.h"

namespace wheelcheck::test::base_test {
namespace {

TEST(Bytes, RefusesWhatLeavesTheBuffer) {
  const std::array<std::byte, 4> data{std::byte{1}, std::byte{2}, std::byte{3}, std::byte{4}};
  const Bytes little(data), big(data, std::endian::big);
  EXPECT_EQ(little.read<std::uint32_t>(0), 0x04030201u);
  EXPECT_EQ(big.read<std::uint16_t>(2), 0x0304u);
  EXPECT_FALSE(little.read<std::uint32_t>(1));
  EXPECT_FALSE(little.read<std::uint8_t>(~0ull));
  EXPECT_FALSE(little.slice(2, ~0ull));
  EXPECT_FALSE(little.text(0));
}

TEST(Budget, KnowsWhatWasCut) {
  Budget budget(3, "the search");
  EXPECT_TRUE(budget.spend(2));
  EXPECT_EQ(budget.cut(), "");
  EXPECT_FALSE(budget.spend(9));
  EXPECT_TRUE(budget.is_spent());
  EXPECT_EQ(budget.cut(), "the search ended at its limit of 3 steps");
}

TEST(ParallelFor, CallsEachIndexOnce) {
  for (const unsigned jobs : {0u, 1u, 2u, 7u}) {
    std::vector<int> calls(100);
    parallel_for(calls.size(), jobs, [&](std::size_t i) { ++calls[i]; });
    EXPECT_EQ(calls, std::vector<int>(100, 1));
  }
}

TEST(Sha256, GivesTheDigestOfFips180) {
  const std::string text = "abc";
  EXPECT_EQ(sha256_hex(std::as_bytes(std::span(text))),
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(MemberPath, IsMadeOfCleanPathsOnly) {
  EXPECT_TRUE(MemberPath::parse("pkg/x.so"));
  for (const char* const bad : {"", "/etc/passwd", "../x", "a/../b", "a//b", "a/", "./a", "a\\b", "C:x", "a\x01"})
    EXPECT_FALSE(MemberPath::parse(bad)) << bad;
  EXPECT_FALSE(MemberPath::parse(std::string_view("a\0b", 3)));
  EXPECT_FALSE(MemberPath::parse("\xFF"));
}

TEST(MemberPath, KnowsItsNameAndDirectory) {
  const auto path = MemberPath::parse("a/b/c.so");
  EXPECT_EQ(path->name(), "c.so");
  EXPECT_EQ(path->directory(), "a/b");
  EXPECT_EQ(MemberPath::parse("c.so")->directory(), "");
}

TEST(StringPool, NeverMovesWhatItHolds) {
  StringPool pool;
  const std::string_view first = pool.add("first");
  const char* const address = first.data();
  for (int i = 0; i < 5000; ++i) pool.add("some other text of a usual length");
  const std::string large(100'000, 'x');
  EXPECT_EQ(pool.add(large), large);
  EXPECT_EQ(first, "first");
  EXPECT_EQ(first.data(), address);
}

}  // namespace
}  // namespace wheelcheck::test::base_test
