// Reads .comment and the compiler options in the debug information, adds up the debug sections, and finds the ranges of
// data.

#include "elf/sections.h"

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "elf/llvm_types.h"

namespace wheelcheck::elf {

namespace {

using namespace llvm::ELF;

// A linker stores each entry once, but some linkers do not; files with 30 KB were found.
constexpr std::uint64_t max_comment_bytes = std::uint64_t{1} << 20;
constexpr std::size_t max_comments = 1000;

void add_comments(std::string_view bytes, std::vector<std::string_view>& out) {
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    if (end > 0) out.push_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
}

// Larger sections are not read: reading the debug information again is not worth one flag.
constexpr std::uint64_t max_string_bytes = std::uint64_t{4} << 20;
constexpr std::size_t max_marches = 100;

// "GNU C17 12.2.0 -march=haswell -O3": format of cc1, cc1plus and f951 (gcc/dwarf2out.cc, gen_producer_string).
bool is_gcc(std::string_view text) {
  return text.starts_with("GNU C") || text.starts_with("GNU Fortran") || text.starts_with("GNU F77");
}

void add_marches(std::string_view bytes, bool flags_alone, std::set<std::string_view>& out) {
  constexpr std::string_view flag = "-march=";
  while (!bytes.empty() && out.size() < max_marches) {
    const std::size_t end = std::min(bytes.find('\0'), bytes.size());
    const std::string_view text = bytes.substr(0, end);
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
    if (!is_gcc(text) && !(flags_alone && text.starts_with(flag))) continue;
    const std::size_t at = text.find(flag);
    if (at == std::string_view::npos)
      out.insert(std::string_view());
    else
      out.insert(text.substr(at + flag.size(), text.find(' ', at) - at - flag.size()));
  }
}

// A byte that several sections have counts for the first one.
std::vector<SectionSize> sizes_of(const File& file, std::span<const Section> sections, StringPool& pool) {
  constexpr std::size_t max_names = 200;
  std::vector<const Section*> order;
  for (const Section& section : sections)
    if (section.type != SHT_NULL && section.type != SHT_NOBITS && file.contains(section.offset, section.size))
      order.push_back(&section);
  std::ranges::stable_sort(order, {}, [](const Section* section) { return section->offset; });
  std::map<std::string_view, std::uint64_t> sizes;
  std::uint64_t done = 0;
  for (const Section* const section : order) {
    const std::uint64_t begin = std::max(done, section->offset), end = section->offset + section->size;
    if (begin >= end) continue;
    done = end;
    if (sizes.size() < max_names || sizes.contains(section->name)) sizes[section->name] += end - begin;
  }
  std::vector<SectionSize> out;
  for (const auto& [name, bytes] : sizes) out.push_back({pool.add(name), bytes});
  return out;
}

}  // namespace

SectionFacts section_facts(const File& file, std::span<const Section> sections, StringPool& pool) {
  SectionFacts facts;
  std::uint64_t left = max_comment_bytes;
  std::set<std::string_view> marches;
  std::uint64_t strings_left = max_string_bytes;
  for (const Section& section : sections) {
    if (section.type == SHT_NOBITS || !file.contains(section.offset, section.size)) continue;
    // Overlapping sections cannot contain more bytes than the file.
    if (section.name.starts_with(".debug_") || section.name.starts_with(".zdebug_"))
      facts.debug_bytes = std::min<std::uint64_t>(facts.debug_bytes + section.size, file.size());
    if (section.type == SHT_SYMTAB || section.name == ".strtab")
      facts.symbol_bytes = std::min<std::uint64_t>(facts.symbol_bytes + section.size, file.size());
    const bool flags = section.name.starts_with(".GCC.command");  // the truncated name of .GCC.command.line
    if ((flags || section.name == ".debug_str") && section.size <= strings_left &&
        (section.flags & SHF_COMPRESSED) == 0) {
      strings_left -= section.size;
      add_marches(file.slice(section.offset, section.size)->as_text(), flags, marches);
    }
    if (section.name != ".comment" || section.size > left) continue;
    left -= section.size;
    add_comments(file.slice(section.offset, section.size)->as_text(), facts.comments);
  }
  std::ranges::sort(facts.comments);
  const auto repeated = std::ranges::unique(facts.comments);
  facts.comments.erase(repeated.begin(), repeated.end());
  if (facts.comments.size() > max_comments) facts.comments.resize(max_comments);
  for (std::string_view& comment : facts.comments) comment = pool.add(comment);
  for (const std::string_view march : marches) facts.marches.push_back(pool.add(march));
  facts.sizes = sizes_of(file, sections, pool);
  return facts;
}

// --- ranges of data -----------------------------------------------------------------------------------------------

namespace {

using namespace llvm::ELF;

enum class SectionContent { Data, Nvidia, Amd, Nothing };

SectionContent kind_of_section(std::string_view name) {
  // The fat binaries of nvcc and clang. Relocatable device code has the second name.
  if (name == ".nv_fatbin" || name == "__nv_relfatbin") return SectionContent::Nvidia;
  if (name == ".hip_fatbin") return SectionContent::Amd;
  // Tables of numbers between the data, and sections that the loader reads.
  constexpr std::string_view tables[] = {
      ".interp", ".eh_frame", ".eh_frame_hdr", ".gcc_except_table", ".dynstr",
      ".got",    ".got.plt",  ".plt",          ".nvFatBinSegment",  ".hipFatBinSegment"};
  return std::ranges::find(tables, name) == std::end(tables) ? SectionContent::Data : SectionContent::Nothing;
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
    const SectionContent kind = kind_of_section(section.name);
    if (kind == SectionContent::Nvidia) places.nvidia.push_back(*range);
    if (kind == SectionContent::Amd) places.amd.push_back(*range);
    if (kind != SectionContent::Data) continue;
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
  // Older linkers put constants into the code segment; newer ones use a read-only segment.
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
