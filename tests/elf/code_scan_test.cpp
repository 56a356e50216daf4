// The search of executable segments gives the same answers whatever the chunks in which a file passes.
#include "elf/code_scan.h"

#include <gtest/gtest.h>

#include <string>

namespace wheelcheck::elf {
namespace {

constexpr std::size_t page = SparseBytes::page;

// Code without CPUID and AVX: `mov rax, rbx` throughout.
std::string moves(std::size_t size) {
  std::string out;
  while (out.size() < size) out += "\x48\x89\xD8";
  return out.substr(0, size);
}

CodeScan scan_of(const std::string& file, const std::vector<FileRange>& code, std::size_t chunk) {
  CodeScan scan(code);
  const auto all = std::as_bytes(std::span(file));
  for (std::size_t at = 0; at < all.size(); at += chunk)
    scan.take(at, all.subspan(at, std::min(chunk, all.size() - at)));
  return scan;
}

TEST(CodeScan, FindsATestWhereverAChunkEnds) {
  const std::vector<FileRange> code{{100, 2 * page - 7}, {2 * page + 9, 4 * page}};
  const auto finds = [&](std::size_t at, const std::string& bytes, std::vector<FileRange> ranges) {
    std::string file = moves(5 * page);
    file.replace(at, bytes.size(), bytes);
    const bool whole = scan_of(file, code, file.size()).tests.any_in(ranges);
    for (const std::size_t chunk : {page, 2 * page, 3 * page})
      EXPECT_EQ(scan_of(file, code, chunk).tests.any_in(ranges), whole) << at << ' ' << chunk;
    return whole;
  };
  const std::string cpuid = "\x0F\xA2", xgetbv = "\x0F\x01\xD0";
  for (std::size_t at = 3 * page - 80; at < 3 * page + 80; ++at) {
    // Behind an instruction, so that the code around it is what it was.
    EXPECT_TRUE(finds(at, std::string("\x90\x90\x90") + cpuid + std::string(20, '\x90'), code)) << at;
    EXPECT_TRUE(finds(at, std::string("\x90\x90\x90") + xgetbv + std::string(20, '\x90'), code)) << at;
    EXPECT_FALSE(finds(at, std::string("\x90\x90\x90\xE8") + cpuid + std::string(22, '\x90'), code))
        << "the displacement of a call";
    if (HasFailure()) return;
  }
  EXPECT_TRUE(finds(3 * page, cpuid, code));
  EXPECT_FALSE(finds(3 * page, cpuid, {{200, 300}})) << "in another section";
  EXPECT_FALSE(finds(2 * page, cpuid, code)) << "between the segments";
  EXPECT_FALSE(finds(4 * page - 1, cpuid, code)) << "the second byte is not code";
  EXPECT_TRUE(finds(2 * page + 9, cpuid, code)) << "the first instruction";
}

TEST(CodeScan, IsNotOccupiedByAnyNumberOfPlaces) {
  std::string file;
  while (file.size() < 40 * page)
    file += std::string("\x48\xB8\x0F\xA2\x0F\xA2\x0F\xA2\x0F\xA2", 10);  // mov rax, imm64
  EXPECT_TRUE(scan_of(file, {{0, file.size()}}, page).tests.any_in({})) << "too many to tell";
}

TEST(CodeScan, CountsPairsOfAvx) {
  std::string file = moves(64 * page);
  const std::vector<FileRange> code{{page + 5, 63 * page}};
  for (std::size_t at = 30 * page; at < 50 * page; at += 200) file.replace(at, 2, "\xC5\xF8");
  for (const std::size_t chunk : {page, 8 * page, 64 * page}) {
    const CodeScan scan = scan_of(file, code, chunk);
    EXPECT_TRUE(scan.pairs.is_frequent_in(code));
    EXPECT_FALSE(scan.pairs.is_frequent_in(std::vector<FileRange>{{2 * page, 29 * page}}));
    EXPECT_EQ(scan.pairs.richest(), 32 * page + 8) << chunk;
  }
}

TEST(CodeScan, JoinsSegmentsThatLieOverEachOther) {
  const auto code = [](std::uint64_t offset, std::uint64_t size) {
    Segment out;
    out.type = 1, out.flags = 5, out.offset = offset, out.file_size = size;
    return out;
  };
  const auto ranges =
      executable_ranges(std::vector<Segment>{code(50, 10), code(0, 20), code(10, 20), code(90, 99)}, 100);
  ASSERT_EQ(ranges.size(), 4U);
  EXPECT_EQ(ranges[1].begin, 20U);
  EXPECT_EQ(ranges[1].end, 30U);
  EXPECT_EQ(ranges[3].end, 100U);
  std::vector<Segment> many;
  for (std::uint64_t i = 0; i < 100; ++i) many.push_back(code(i * 10, 5));
  const auto hull = executable_ranges(many, 1000);
  ASSERT_EQ(hull.size(), 1U);
  EXPECT_EQ(hull[0].end, 995U);
}

}  // namespace
}  // namespace wheelcheck::elf
