#include "elf/code_scan.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "base/byte_scan.h"
#include "code/instruction.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t page = SparseBytes::page;
constexpr std::size_t max_tests = 4096;  // real ones are few
constexpr std::size_t max_ranges = 64;

std::uint64_t size_of(std::span<const FileRange> ranges) {
  std::uint64_t size = 0;
  for (const FileRange& range : ranges) size += range.end - range.begin;
  return size;
}

FileRange overlap(const FileRange& a, const FileRange& b) {
  const std::uint64_t begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}
bool overlaps(const FileRange& a, const FileRange& b) { return a.begin < b.end && b.begin < a.end; }

// Whether an instruction begins there: decoding from most of the bytes 24 to 48 bytes before on comes to it, because
// x86 code synchronizes itself after a few instructions.
bool begins_instruction(std::span<const std::byte> bytes, std::size_t at) {
  constexpr std::size_t farthest = 48, nearest = 24;
  std::array<bool, farthest> arrives{};  // by the distance to the place, from 1 on
  std::size_t arrived = 0;
  code::Reader reader(code::Machine::X86);
  for (std::size_t distance = 1; distance <= farthest; ++distance) {
    const auto one = reader.read(bytes.subspan(at - distance), 0);
    const std::size_t length = one ? one->length : 1;
    const bool reaches = length == distance || (length < distance && arrives[distance - length - 1]);
    arrives[distance - 1] = reaches;
    arrived += reaches && distance > nearest;
  }
  return arrived * 3 >= farthest - nearest;
}

}  // namespace

std::vector<FileRange> executable_ranges(std::span<const Segment> segments, std::uint64_t file_size) {
  std::vector<FileRange> all, out;
  for (const Segment& segment : segments)
    if (segment.type == llvm::ELF::PT_LOAD && (segment.flags & llvm::ELF::PF_X) != 0 && segment.offset < file_size)
      all.push_back({segment.offset, segment.offset + std::min(segment.file_size, file_size - segment.offset)});
  std::ranges::sort(all, {}, &FileRange::begin);
  for (const FileRange& range : all) {
    const FileRange rest{out.empty() ? range.begin : std::max(range.begin, out.back().end), range.end};
    if (rest.begin < rest.end) out.push_back(rest);
  }
  if (out.size() > max_ranges) return {{out.front().begin, out.back().end}};
  return out;
}

TestSearch::TestSearch(std::vector<FileRange> code) : code_(std::move(code)), left_(64 + size_of(code_) / 4096) {}

void TestSearch::take(std::uint64_t offset, std::span<const std::byte> chunk) {
  for (const FileRange& range : code_) {
    const FileRange part = overlap(range, {offset, offset + chunk.size()});
    if (part.begin < part.end) take_part(range, part, chunk.subspan(part.begin - offset, part.end - part.begin));
  }
}

void TestSearch::take_part(const FileRange& range, FileRange part, std::span<const std::byte> bytes) {
  if (part.begin == range.begin) seam_size_ = 0, next_ = part.begin;
  // Around a place, all bytes that belong to the code must be here.
  const std::uint64_t end = part.end == range.end ? part.end : std::max(next_, part.end - std::min(part.end, after));
  std::array<std::byte, 2 * (before + after)> both{};
  std::copy_n(seam_.begin(), seam_size_, both.begin());
  const std::size_t head = std::min(before + after, bytes.size());
  std::copy_n(bytes.begin(), head, both.begin() + seam_size_);
  const std::uint64_t inner = std::min(end, part.begin + before);
  search(range, part.begin - seam_size_, std::span(both).first(seam_size_ + head), {next_, inner});
  search(range, part.begin, bytes, {std::max(next_, inner), end});
  next_ = std::max(next_, end);
  // The seam for the next chunk, which is not shorter than this one unless it is the last.
  const std::size_t total = seam_size_ + head, kept = std::min(before + after, seam_size_ + bytes.size());
  if (bytes.size() >= kept)
    std::copy_n(bytes.end() - static_cast<std::ptrdiff_t>(kept), kept, seam_.begin());
  else
    std::copy_n(both.begin() + (total - kept), kept, seam_.begin());
  seam_size_ = kept;
}

// Looks at places; `bytes` begins at the offset `start`.
void TestSearch::search(const FileRange& range, std::uint64_t start, std::span<const std::byte> bytes,
                        FileRange places) {
  if (places.begin >= places.end || left_ == 0 || tests_.size() == max_tests) return;
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = (c == 0x0F) & ((d == 0xA2) | (d == 0x01));
  };
  any_pair(Bytes(bytes).as_text(), places.begin - start, places.end - start, matches, [&](std::size_t at) {
    const std::uint64_t offset = start + at;
    const auto rest = bytes.subspan(at, std::min({std::size_t{after}, bytes.size() - at, range.end - offset}));
    const bool cpuid = rest.size() >= 2 && rest[1] == std::byte{0xA2};
    if (!cpuid && (rest.size() < 3 || rest[2] != std::byte{0xD0})) return false;
    const bool known = offset - range.begin >= before;  // enough bytes before it
    if (!known || begins_instruction(bytes.subspan(at - before, before + rest.size()), before))
      tests_.push_back(offset);
    return --left_ == 0 || tests_.size() == max_tests;
  });
}

bool TestSearch::any_in(std::span<const FileRange> ranges) const {
  return left_ == 0 || tests_.size() == max_tests || std::ranges::any_of(tests_, [&](std::uint64_t at) {
           return std::ranges::any_of(
               ranges, [&](const FileRange& range) { return at - range.begin < range.end - range.begin; });
         });
}

PairCount::PairCount(std::vector<FileRange> code) : code_(std::move(code)), step_(size_of(code_) > 16 * page ? 8 : 1) {}

void PairCount::take(std::uint64_t offset, std::span<const std::byte> chunk) {
  const auto matches = [](const auto& c, const auto& d, auto& marks) {
    marks = ((c == 0xC5) & (d >= 0xF8)) | ((c == 0x62) & ((d == 0xF1) | (d == 0xF2)));
  };
  for (const FileRange& range : code_) {
    const FileRange part = overlap(range, {offset, offset + chunk.size()});
    for (std::uint64_t at = part.begin / (step_ * page) * (step_ * page); at < part.end; at += step_ * page) {
      const FileRange searched = overlap(part, {at, at + page});
      if (searched.begin + 1 >= searched.end) continue;
      Page& found = pages_.emplace_back(searched);
      any_pair(Bytes(chunk).as_text(), searched.begin - offset, searched.end - 1 - offset, matches,
               [&](std::size_t place) {
                 if (found.count++ == 0) found.first = offset + place;
                 return false;
               });
    }
  }
}

bool PairCount::is_frequent_in(std::span<const FileRange> ranges) const {
  std::uint64_t found = 0, searched = 0;
  for (const auto& [where, count, first] : pages_) {
    if (std::ranges::none_of(ranges, [&](const FileRange& range) { return overlaps(where, range); })) continue;
    found += count;
    searched += where.end - where.begin;
  }
  return found >= 8 && found >= searched / 1024;
}

std::uint64_t PairCount::richest() const {
  const auto most = std::ranges::max_element(pages_, {}, &Page::count);
  return most == pages_.end() ? 0 : most->first;
}

}  // namespace wheelcheck::elf
