// Searches the executable segments of a file for x86-64, byte by byte, for two questions: is the processor tested
// anywhere, and is AVX frequent? A large file passes through them once, in chunks, while it is inflated, because
// inflating its code again would take as long as all the rest. No answer depends on the size of the chunks.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "elf/image.h"

namespace wheelcheck::elf {

// The parts of a file that are mapped as code; sorted, disjoint, inside the file. Of more than 64, what lies between
// them belongs to it.
std::vector<FileRange> executable_ranges(std::span<const Segment> segments, std::uint64_t file_size);

// Finds CPUID (0F A2) and XGETBV (0F 01 D0). Other bytes have theirs by chance, about once in 65,000.
class TestSearch {
 public:
  explicit TestSearch(std::vector<FileRange> code);
  // Chunks in their order, without gaps within the code.
  void take(std::uint64_t offset, std::span<const std::byte> chunk);
  // Whether a test is in one of these ranges, which are sorted; true also if there were too many places to look at.
  bool any_in(std::span<const FileRange> ranges) const;

 private:
  static constexpr std::size_t before = 48, after = 16;  // bytes around a place that are looked at
  void take_part(const FileRange& range, FileRange part, std::span<const std::byte> bytes);
  void search(const FileRange& range, std::uint64_t start, std::span<const std::byte> bytes, FileRange places);

  std::vector<FileRange> code_;
  std::size_t left_;                              // places that may be looked at
  std::vector<std::uint64_t> tests_;              // sorted
  std::uint64_t next_ = 0;                        // the first place that was not looked at
  std::array<std::byte, before + after> seam_{};  // the end of the last chunk
  std::size_t seam_size_ = 0;
};

// Counts pairs of bytes that could begin an instruction of AVX: C5 F8 to C5 FF (two bytes of VEX, no further register),
// 62 F1 or 62 F2 (EVEX). Of much code every eighth page is searched, because all files pass here.
class PairCount {
 public:
  explicit PairCount(std::vector<FileRange> code);
  void take(std::uint64_t offset, std::span<const std::byte> chunk);
  // Other code has such a pair about every 6,000 bytes.
  bool is_frequent_in(std::span<const FileRange> ranges) const;
  // The first of them in the page that has most, where an instruction probably begins; 0 if no page has any.
  std::uint64_t richest() const;

 private:
  struct Page {
    FileRange searched;
    std::uint32_t count = 0;
    std::uint64_t first = 0;
  };
  std::vector<FileRange> code_;
  std::uint64_t step_;  // in pages
  std::vector<Page> pages_;
};

struct CodeScan {
  explicit CodeScan(std::vector<FileRange> code) : pairs(code), tests(std::move(code)) {}
  void take(std::uint64_t offset, std::span<const std::byte> chunk) {
    pairs.take(offset, chunk);
    tests.take(offset, chunk);
  }
  PairCount pairs;
  TestSearch tests;
};

}  // namespace wheelcheck::elf
