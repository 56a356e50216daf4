// Tests pages that are kept, dropped and fetched again.
#include "base/sparse.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>
#include <string>
#include <vector>

namespace wheelcheck::test::sparse_test {
namespace {

constexpr std::uint64_t page = SparseBytes::page;

struct Source {
  std::string text;
  std::uint64_t fetched = 0, cost = 0;

  explicit Source(std::size_t size) : text(size, '\0') {
    for (std::size_t i = 0; i < size; ++i) text[i] = static_cast<char>('a' + i / 7 % 26);
  }
  std::span<const std::byte> part(std::uint64_t begin, std::uint64_t end) const {
    return std::as_bytes(std::span(text)).subspan(begin, end - begin);
  }
  std::unique_ptr<SparseBytes> open() {
    return SparseBytes::reserve(text.size(), [this](std::uint64_t begin, std::uint64_t end, SparseBytes& into) {
      into.keep(begin, part(begin, end));
      fetched += end - begin;
      return Result<std::uint64_t>(cost == 0 ? end - begin : cost);
    });
  }
};

bool same(const SparseBytes& pages, const Source& source, std::uint64_t begin, std::uint64_t end) {
  return std::ranges::equal(pages.bytes().subspan(begin, end - begin), source.part(begin, end));
}

TEST(SparseBytes, FetchWhatIsAbsentAndNoMore) {
  Source source(5 * page + 100);
  const auto pages = source.open();
  pages->keep(page, source.part(page, 2 * page));
  pages->need(page + 10, 3 * page + 1);
  EXPECT_TRUE(same(*pages, source, page, 4 * page));
  EXPECT_EQ(source.fetched, 2 * page);
  EXPECT_FALSE(pages->has(0));
  pages->need(5 * page, source.text.size());
  EXPECT_TRUE(same(*pages, source, 5 * page, source.text.size()));
  EXPECT_EQ(source.fetched, 2 * page + 100);
  EXPECT_FALSE(pages->error());
}

TEST(SparseBytes, DropWholePagesOnly) {
  Source source(4 * page);
  const auto pages = source.open();
  pages->need(0, 4 * page);
  pages->drop(10, 3 * page - 1);
  EXPECT_TRUE(pages->has(0));
  EXPECT_FALSE(pages->has(page));
  EXPECT_TRUE(pages->has(2 * page));
  EXPECT_EQ(pages->bytes()[page], std::byte{0});
  EXPECT_EQ(pages->same_until(0, 4 * page), page);
  EXPECT_EQ(pages->same_until(2 * page, 4 * page), 4 * page);
}

TEST(SparseBytes, TheLastPageIsDroppedWithTheFilesEnd) {
  Source source(page + 5);
  const auto pages = source.open();
  pages->need(0, source.text.size());
  pages->drop(page, source.text.size());
  EXPECT_FALSE(pages->has(page));
}

TEST(SparseBytes, KeepOneRangeForLater) {
  Source source(4 * page);
  const auto pages = source.open();
  pages->need(0, 4 * page);
  pages->keep_only(page + 1, 2 * page + 1);
  EXPECT_TRUE(same(*pages, source, page, 3 * page));
  EXPECT_FALSE(pages->has(0));
  EXPECT_FALSE(pages->has(3 * page));
  pages->need(0, 1);
  ASSERT_TRUE(pages->error());
}

TEST(SparseBytes, GiveUpOnAFileThatIsMadeToBeSlow) {
  Source source(100 * page);
  source.cost = std::uint64_t{100} << 20;
  const auto pages = source.open();
  for (std::uint64_t at = 0; at < 100 * page; at += 2 * page) pages->need(at, at + 1);
  ASSERT_TRUE(pages->error());
  EXPECT_EQ(pages->error()->code, ErrorCode::OverLimit);
  EXPECT_LE(source.fetched, 4 * page);
}

TEST(SparseBytes, AFailureToFetchIsKept) {
  const auto pages = SparseBytes::reserve(page, [](std::uint64_t, std::uint64_t, SparseBytes&) {
    return Result<std::uint64_t>(std::unexpected(Error{ErrorCode::Io, "gone"}));
  });
  pages->need(0, page);
  ASSERT_TRUE(pages->error());
  EXPECT_EQ(pages->error()->message, "gone");
  EXPECT_EQ(pages->bytes()[0], std::byte{0});
}

// Pages in memory, regardless of why.
std::size_t resident(const SparseBytes& pages, std::uint64_t begin, std::uint64_t end) {
  std::vector<unsigned char> which((end - begin + page - 1) / page);
  void* const place = const_cast<std::byte*>(pages.bytes().data()) + begin;
  EXPECT_EQ(::mincore(place, end - begin, which.data()), 0);
  return static_cast<std::size_t>(std::ranges::count_if(which, [](unsigned char one) { return (one & 1U) != 0; }));
}

// Long runs use huge pages, which extend beyond the runs.
TEST(SparseBytes, NothingBehindALongRunTakesMemory) {
  constexpr std::uint64_t piece = 64 * page, mb = std::uint64_t{1} << 20;
  Source source(16 * mb + 100);
  for (const std::uint64_t length : {1 * mb, 3 * mb, 5 * mb + piece}) {
    const auto pages = source.open();
    const std::uint64_t begin = 2 * page, end = begin + length, later = 12 * mb;
    for (std::uint64_t at = begin; at < end; at += piece) pages->keep(at, source.part(at, at + piece));
    pages->keep(later, source.part(later, later + page));
    EXPECT_TRUE(same(*pages, source, begin, end));
    EXPECT_TRUE(same(*pages, source, later, later + page));
    EXPECT_EQ(resident(*pages, 0, end), length / page);
    EXPECT_EQ(resident(*pages, end, 16 * mb), 1U);
    EXPECT_EQ(pages->same_until(begin, source.text.size()), end);
    EXPECT_TRUE(std::ranges::all_of(pages->bytes().subspan(end, mb), [](std::byte b) { return b == std::byte{0}; }));

    pages->hold(begin + mb / 2, begin + mb);
    pages->keep_only(begin + mb / 2, begin + mb);
    EXPECT_TRUE(same(*pages, source, begin + mb / 2, begin + mb));
    EXPECT_EQ(resident(*pages, 0, 16 * mb), mb / 2 / page);
  }
}

// A run up to the end of the file, where a huge page does not fit.
TEST(SparseBytes, ALongRunMayEndWithTheFile) {
  constexpr std::uint64_t piece = 64 * page;
  Source source(std::size_t{7} << 20 | 100U);
  const auto pages = source.open();
  for (std::uint64_t at = 0; at < source.text.size(); at += piece)
    pages->keep(at, source.part(at, std::min<std::uint64_t>(at + piece, source.text.size())));
  EXPECT_TRUE(same(*pages, source, 0, source.text.size()));
  pages->drop(page, source.text.size());
  EXPECT_EQ(resident(*pages, 0, source.text.size()), 1U);
  pages->need(page, source.text.size());
  EXPECT_TRUE(same(*pages, source, 0, source.text.size()));
}

// A page after a run that was kept before the run ended.
TEST(SparseBytes, WhatWasKeptBehindARunStays) {
  constexpr std::uint64_t mb = std::uint64_t{1} << 20;
  Source source(8 * mb);
  const auto pages = source.open();
  const std::uint64_t early = 4 * mb - 3 * page;
  pages->keep(early, source.part(early, early + page));
  for (std::uint64_t at = 0; at < 3 * mb; at += mb / 4) pages->keep(at, source.part(at, at + mb / 4));
  pages->keep(6 * mb, source.part(6 * mb, 6 * mb + page));
  EXPECT_TRUE(same(*pages, source, 0, 3 * mb));
  EXPECT_TRUE(same(*pages, source, early, early + page));
}

}  // namespace
}  // namespace wheelcheck::test::sparse_test
