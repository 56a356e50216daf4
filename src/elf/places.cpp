// Sorts a file's bytes into kinds of data.
#include "elf/places.h"

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

std::optional<FileRange> range_of(std::span<const std::byte> file, std::uint64_t offset, std::uint64_t size) {
  if (offset >= file.size() || size == 0) return std::nullopt;
  return FileRange{offset, offset + std::min<std::uint64_t>(size, file.size() - offset)};
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

bool by_sections(std::span<const std::byte> file, std::span<const Section> sections, Places& places) {
  bool any = false;
  for (const Section& section : sections) {
    if (section.type != SHT_PROGBITS || (section.flags & SHF_ALLOC) == 0) continue;
    any = true;
    if ((section.flags & SHF_EXECINSTR) != 0) continue;
    const auto range = range_of(file, section.offset, section.size);
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

void by_segments(std::span<const std::byte> file, std::span<const Segment> segments, Places& places) {
  // Older linkers put constants into the segment of the code; newer ones give them one that only can be read.
  const bool apart = std::ranges::any_of(
      segments, [](const Segment& segment) { return segment.type == PT_LOAD && (segment.flags & (PF_W | PF_X)) == 0; });
  for (const Segment& segment : segments) {
    if (segment.type != PT_LOAD || (apart && (segment.flags & PF_X) != 0)) continue;
    const auto range = range_of(file, segment.offset, segment.file_size);
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

Places find_places(std::span<const std::byte> file, std::span<const Segment> segments,
                   std::span<const Section> sections, std::optional<FileRange> names) {
  Places places;
  if (!by_sections(file, sections, places)) by_segments(file, segments, places);
  for (auto* ranges : {&places.data, &places.writable, &places.nvidia, &places.amd}) make_disjoint(*ranges);
  if (names) take_out(places.data, *names);
  return places;
}

}  // namespace wheelcheck::elf
