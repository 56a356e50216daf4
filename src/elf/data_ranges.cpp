// Sorts a file's bytes into kinds of data.
#include "elf/data_ranges.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

enum class Kind { Data, Nvidia, Amd, Nothing };

Kind kind_of_section(std::string_view name) {
  // The fat binaries of nvcc and clang; the ones of relocatable device code carry the second name.
  if (name == ".nv_fatbin" || name == "__nv_relfatbin") return Kind::Nvidia;
  if (name == ".hip_fatbin") return Kind::Amd;
  // Tables of numbers in the middle of the data, and what the loader reads.
  constexpr std::string_view tables[] = {
      ".interp", ".eh_frame", ".eh_frame_hdr", ".gcc_except_table", ".dynstr",
      ".got",    ".got.plt",  ".plt",          ".nvFatBinSegment",  ".hipFatBinSegment"};
  return std::ranges::find(tables, name) == std::end(tables) ? Kind::Data : Kind::Nothing;
}

std::optional<FileRange> range_of(std::uint64_t file_size, std::uint64_t offset, std::uint64_t size) {
  if (offset >= file_size || size == 0) return std::nullopt;
  return FileRange{offset, offset + std::min(size, file_size - offset)};
}

void make_disjoint(std::vector<FileRange>& ranges) {
  std::ranges::sort(ranges, [](const FileRange& a, const FileRange& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::uint64_t done = 0;
  for (FileRange& range : ranges) {
    range.begin = std::max(range.begin, done);
    done = std::max(done, range.end);
  }
  std::erase_if(ranges, [](const FileRange& range) { return range.begin >= range.end; });
}

bool by_sections(std::uint64_t file_size, std::span<const Section> sections, DataRanges& places) {
  bool any = false;
  for (const Section& section : sections) {
    if (section.type != SHT_PROGBITS || (section.flags & SHF_ALLOC) == 0) continue;
    any = true;
    if ((section.flags & SHF_EXECINSTR) != 0) continue;
    const auto range = range_of(file_size, section.offset, section.size);
    if (!range) continue;
    const Kind kind = kind_of_section(section.name);
    if (kind == Kind::Nvidia) places.nvidia.push_back(*range);
    if (kind == Kind::Amd) places.amd.push_back(*range);
    if (kind != Kind::Data) continue;
    places.data.push_back(*range);
    if ((section.flags & SHF_WRITE) != 0) places.writable.push_back(*range);
  }
  return any;
}

void by_segments(std::uint64_t file_size, std::span<const Segment> segments, DataRanges& places) {
  for (const Segment& segment : segments) {
    if (segment.type != PT_LOAD || !holds_data(segment, segments)) continue;
    const auto range = range_of(file_size, segment.offset, segment.file_size);
    if (!range) continue;
    places.data.push_back(*range);
    if ((segment.flags & PF_W) != 0) places.writable.push_back(*range);
  }
}

void take_out(std::vector<FileRange>& ranges, const FileRange& hole) {
  std::vector<FileRange> rest;
  for (const FileRange& range : ranges) {
    if (range.begin < hole.begin) rest.push_back({range.begin, std::min(range.end, hole.begin)});
    if (range.end > hole.end) rest.push_back({std::max(range.begin, hole.end), range.end});
  }
  ranges = std::move(rest);
}

}  // namespace

bool holds_data(const Segment& segment, std::span<const Segment> segments) {
  if ((segment.flags & PF_X) == 0) return true;
  // Older linkers put constants into the segment of the code; newer ones give them one that only can be read.
  return std::ranges::none_of(
      segments, [](const Segment& other) { return other.type == PT_LOAD && (other.flags & (PF_W | PF_X)) == 0; });
}

DataRanges find_places(std::uint64_t file_size, std::span<const Segment> segments, std::span<const Section> sections,
                       std::optional<FileRange> names) {
  DataRanges places;
  if (!by_sections(file_size, sections, places)) by_segments(file_size, segments, places);
  for (auto* ranges : {&places.data, &places.writable, &places.nvidia, &places.amd}) make_disjoint(*ranges);
  if (names) take_out(places.data, *names);
  return places;
}

}  // namespace wheelcheck::elf
