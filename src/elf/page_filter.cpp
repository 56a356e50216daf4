// Implements PageFilter: a plan from the program headers, then a search for marks in every chunk.
#include "elf/page_filter.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "base/byte_scan.h"
#include "elf/code.h"
#include "elf/fatbin.h"
#include "elf/header.h"
#include "elf/interfaces.h"
#include "elf/llvm_types.h"
#include "elf/sections.h"
#include "elf/texts.h"

namespace wheelcheck::elf {
namespace {

using namespace llvm::ELF;

constexpr std::uint64_t neighbourhood = 64 * 1024;       // distance within which linkers put .comment and .shstrtab
constexpr std::size_t max_planned_segments = 256;        // of a file that is planned
constexpr std::uint64_t behind_relocations = 64 * 1024;  // distance within which DT_RELR and DT_JMPREL may follow

constexpr std::uint64_t start_of_page(std::uint64_t offset) { return offset / PageFilter::page * PageFilter::page; }

// True for identifiers separated by NUL, as in the names of a symbol table. A few samples are tested.
bool holds_names(std::span<const std::byte> page) {
  constexpr std::size_t samples = 8;
  if (page.size() < samples * block_size) return false;
  const auto among = [](Block bytes, char first, char last) __attribute__((always_inline)) {
    return (bytes - static_cast<unsigned char>(first)) <= static_cast<unsigned char>(last - first);
  };
  Block any{};
  for (std::size_t i = 0; i < samples; ++i) {
    const Block bytes = pairs::load(reinterpret_cast<const char*>(page.data()) + page.size() / samples * i);
    const auto fits = among(bytes, '0', '9') | among(bytes, '@', 'Z') | among(bytes, 'a', 'z') | (bytes == '_') |
                      (bytes == '.') | (bytes == '$') | (bytes == '\0');
    const auto all = std::bit_cast<pairs::Lanes>(fits);
    if ((all[0] & all[1]) != ~std::uint64_t{0}) return false;
    any |= bytes;
  }
  const auto seen = std::bit_cast<pairs::Lanes>(any);  // all zeros are not names
  return (seen[0] | seen[1]) != 0;
}

// True for a page of Elf64_Rela records, at any alignment of the record (gABI 4.1, "Relocation"). A few samples are
// tested: types are small numbers, and addends are small compared with the word at the same place in a symbol.
bool holds_relocations(std::span<const std::byte> page, bool little_endian) {
  constexpr std::size_t entry = 24, info = 8, addend = 16, samples = 8;
  constexpr std::uint64_t max_type = 2048, max_symbol = 1U << 24U, max_addend = std::uint64_t{1} << 32U;
  if (page.size() < 2 * samples * entry) return false;
  const auto word = [&](std::size_t at) {
    std::uint64_t out = 0;
    std::memcpy(&out, page.data() + at, sizeof out);
    return (std::endian::native == std::endian::little) != little_endian ? std::byteswap(out) : out;
  };
  const auto fits = [&](std::size_t first) {
    const std::size_t entries = (page.size() - first) / entry;
    for (std::size_t i = 0; i < samples; ++i) {
      const std::size_t at = first + entries / samples * i * entry;
      const std::uint64_t what = word(at + info), type = what & UINT32_MAX;
      if (word(at) == 0 || type == 0 || type >= max_type || (what >> 32U) >= max_symbol) return false;
      if (word(at + addend) + max_addend >= 2 * max_addend) return false;
    }
    return true;
  };
  return fits(0) || fits(info) || fits(addend);
}

struct Layout {
  Header header;
  std::vector<Segment> segments;
  bool known = false;  // all program headers are in the first chunk
};

template <class ELFT>
Layout layout_as(std::span<const std::byte> head) {
  Layout layout;
  const auto header = read_header<ELFT>(head);
  if (!header) return layout;
  layout.header = *header;
  layout.segments = read_segments<ELFT>(head, *header);
  layout.known = layout.segments.size() == header->header_count && layout.segments.size() <= max_planned_segments;
  return layout;
}

Layout layout_of(std::span<const std::byte> head) {
  if (head.size() < EI_NIDENT) return {};
  const bool wide = std::to_integer<unsigned>(head[EI_CLASS]) == ELFCLASS64,
             little = std::to_integer<unsigned>(head[EI_DATA]) != ELFDATA2MSB;
  return as_elf(wide, little, [&]<class ELFT> { return layout_as<ELFT>(head); });
}

}  // namespace

PageFilter::~PageFilter() {
  if (code_memory_ != nullptr) *code_memory_ += code_bytes_;
}

void PageFilter::start(SparseBytes& pages) {
  pages_ = &pages;
  marked_.resize(static_cast<std::size_t>((pages.size() + page - 1) / page));
  looked_.resize(marked_.size());
}

bool PageFilter::looked(std::uint64_t offset) const {
  return offset / page < looked_.size() && looked_[static_cast<std::size_t>(offset / page)];
}

std::uint64_t PageFilter::same_until(std::uint64_t offset, std::uint64_t end) const {
  const bool now = looked(offset);
  std::uint64_t at = start_of_page(offset) + page;
  while (at < end && looked(at) == now) at += page;
  return std::min(at, end);
}

// Of code that is a little larger than the room, the beginning is kept, where linkers put the sections .text.startup
// and .init. Of other code nothing is, because its file has large tables as well; it takes the room nevertheless,
// because many of its pages will be inflated again and be in memory.
void PageFilter::take_memory_for(std::span<const FileRange> code) {
  if (code_memory_ == nullptr) return;
  std::uint64_t size = 0, left = *code_memory_;
  for (const FileRange& range : code) size += range.end - range.begin;
  while (!code_memory_->compare_exchange_weak(left, left - std::min(left, size))) continue;
  code_bytes_ = std::min(left, size);
  if (size / 2 > left) return;
  left = code_bytes_;
  for (const FileRange& range : code) {
    const std::uint64_t kept = std::min(left, range.end - range.begin);
    if (kept > 0) kept_code_.push_back({range.begin, range.begin + kept});
    left -= kept;
  }
}

void PageFilter::plan(std::span<const std::byte> head) {
  const std::uint64_t size = pages_->size();
  const Layout layout = layout_of(head);
  word_ = layout.header.bits == 32 ? 4 : 8;
  little_endian_ = layout.header.little_endian;
  struct Part {
    std::uint64_t begin, end;
    What what;
  };
  std::vector<Part> parts;
  const auto add = [&](std::uint64_t begin, std::uint64_t length, What what) {
    if (begin < size) parts.push_back({start_of_page(begin), begin + std::min(length, size - begin), what});
  };
  if (!layout.known) add(0, size, What::Data);
  if (layout.known && has_followed_code(layout.header)) {
    const std::vector<FileRange> code = executable_ranges(layout.segments, size);
    if (is_x86_64_library(layout.header)) code_.emplace(code);
    take_memory_for(code);
  }
  std::uint64_t mapped = 0;
  bool behind_code = false;
  for (const Segment& segment : layout.segments) {
    if (!layout.known) break;
    const bool small = segment.file_size <= neighbourhood;
    if (segment.type != PT_LOAD && small) add(segment.offset, segment.file_size, What::Kept);
    if (segment.type != PT_LOAD) continue;
    mapped = std::max(mapped, segment.offset + std::min(segment.file_size, size));
    if (!holds_data(segment, layout.segments)) {
      behind_code = true;
      continue;
    }
    add(segment.offset, segment.file_size,
        (segment.flags & PF_W) != 0 ? What::WritableData
        : behind_code               ? What::Constants
                                    : What::Data);
  }
  add(0, page, What::Kept);
  add(mapped, neighbourhood, What::Kept);
  const std::uint64_t sections = layout.header.sections_offset,
                      length = std::uint64_t{layout.header.section_count} * layout.header.section_entry_size;
  if (sections > 0 && sections < size) {
    const std::uint64_t before = std::min(neighbourhood, sections);
    add(sections - before, before + std::max(length, neighbourhood), What::Kept);
  }

  std::vector<std::uint64_t> ends{size};
  for (const Part& part : parts) ends.insert(ends.end(), {part.begin, part.end});
  std::ranges::sort(ends);
  std::uint64_t begin = 0;
  for (const std::uint64_t end : ends) {
    if (end <= begin) continue;
    What what = What::Passed;
    for (const Part& part : parts)
      if (part.begin < end && part.end > begin) what = std::min(what, part.what);
    stretches_.push_back({end, what});
    // A page that belongs to two stretches is kept, because only a part of it is searched.
    if (end % page != 0) mark_range(end - 1, end);
    begin = end;
  }
}

void PageFilter::take(std::span<const std::byte> chunk) {
  if (at_ == 0) plan(chunk);
  const std::uint64_t end = at_ + chunk.size();
  if (code_) code_->take(at_, chunk);
  look_over_seam(chunk);
  for (std::uint64_t at = at_; at < end;) {
    while (stretches_[stretch_].end <= at) ++stretch_;
    const FileRange part{at, std::min(end, stretches_[stretch_].end)};
    const What what = stretches_[stretch_].what;
    // A text in what is kept anyway may begin or end in a page that is not.
    if (what != What::Passed) look(chunk, part, what <= What::WritableData);
    at = part.end;
  }
  let_through(chunk);
  const std::size_t kept = std::min<std::size_t>(seam, chunk.size());
  std::memcpy(seam_.data(), chunk.data() + chunk.size() - kept, kept);
  at_ = end;
}

// Searches for marks whose neighbours are in two chunks.
void PageFilter::look_over_seam(std::span<const std::byte> chunk) {
  if (at_ == 0) return;
  std::array<std::byte, 2 * seam> both{};
  std::ranges::copy(seam_, both.begin());
  std::ranges::copy(chunk.first(std::min<std::size_t>(seam, chunk.size())), both.begin() + seam);
  const auto visit = [&](std::size_t i) { mark(at_ - seam + i); };
  each_text_mark(both, 0, both.size(), visit);
  each_slot_mark(both, 0, both.size(), word_, little_endian_, visit);
}

void PageFilter::mark(std::uint64_t at) { mark_range(at - std::min(at, margin), at + margin); }

void PageFilter::mark_range(std::uint64_t begin, std::uint64_t end) {
  for (std::uint64_t p = begin / page; p <= (end - 1) / page && p < marked_.size(); ++p)
    marked_[static_cast<std::size_t>(p)] = true;
}

void PageFilter::look(std::span<const std::byte> chunk, FileRange part, bool writable) {
  const auto visit = [&](std::size_t i) { mark(at_ + i); };
  for (std::uint64_t at = part.begin; at < part.end;) {
    if (const std::uint64_t after = follow(chunk, {at, part.end}); after > at) {
      at = after;
      continue;
    }
    const std::uint64_t fatbin = at_ + find_fatbin(chunk, at - at_, part.end - at_);
    each_text_mark(chunk, at - at_, fatbin - at_, visit);
    if (writable) each_slot_mark(chunk, at - at_, fatbin - at_, word_, little_endian_, visit);
    // A page that is partly in a fat binary is kept, so it may be marked as searched although only a part was.
    for (std::uint64_t p = at / page; p * page < fatbin; ++p) looked_[static_cast<std::size_t>(p)] = true;
    if (fatbin < part.end) {
      mark(fatbin);
      walk_.emplace(fatbin, pages_->size());
    }
    at = fatbin;
  }
}

// Follows the fat binary that is passing, from header to header. Returns the offset where the search continues.
std::uint64_t PageFilter::follow(std::span<const std::byte> chunk, FileRange part) {
  std::uint64_t at = std::clamp(skip_until_, part.begin, part.end);
  while (walk_ && at < part.end) {
    const FileRange wanted = walk_->wanted();
    if (wanted.begin < at) {  // the header was in a range that is not searched
      walk_.reset();
      break;
    }
    const std::uint64_t from = std::min(wanted.begin, part.end), to = std::min(wanted.end, part.end);
    at = to;
    if (from == to) break;
    mark_range(from, to);
    if (walk_->take(chunk.subspan(from - at_, to - from))) continue;
    // The walk may have read bytes after the end of the fat binary. Their page is kept.
    skip_until_ = walk_->end();
    mark(skip_until_);
    at = std::clamp(skip_until_, at, part.end);
    walk_.reset();
  }
  return at;
}

bool PageFilter::is_kept_code(std::uint64_t page_at) const {
  return std::ranges::any_of(
      kept_code_, [&](const FileRange& range) { return range.begin < page_at + page && page_at < range.end; });
}

bool PageFilter::keeps(std::span<const std::byte> bytes, std::span<const std::byte> next, std::uint64_t at, What what) {
  if (marked_[static_cast<std::size_t>(at / page)] || what == What::Kept) return true;
  // If names begin after other bytes outside of all segments, they are probably the names of sections.
  if (what == What::Passed) {
    const bool known = ahead_ == at;
    const bool before = std::exchange(in_names_, known ? names_ahead_ : holds_names(bytes));
    if (in_names_) return !before;
    names_ahead_ = holds_names(next);
    ahead_ = next.size() == page ? at + page : 0;
    return before || names_ahead_;
  }
  if (what == What::Constants || !looked(at)) return false;
  // Linkers put the relocations last among the tables of the loader. Code or constants follow them.
  if (what == What::Data && relocations_end_ != 0 && at >= relocations_end_ + behind_relocations) return false;
  if (holds_names(bytes)) return true;
  if (what == What::Data && word_ == 8 && holds_relocations(bytes, little_endian_)) relocations_end_ = at + page;
  if (unknown_ + bytes.size() > max_unknown_) return false;
  unknown_ += bytes.size();
  return true;
}

void PageFilter::let_through(std::span<const std::byte> chunk) {
  if (!last_page_.empty() && marked_[static_cast<std::size_t>(at_ / page - 1)]) pages_->keep(at_ - page, last_page_);
  last_page_.clear();
  std::size_t stretch = 0;
  std::uint64_t from = 0, to = 0;  // range of the chunk that is kept but not yet passed on
  const auto hand_on = [&] {
    if (from < to) pages_->keep(at_ + from, chunk.subspan(from, to - from));
  };
  for (std::uint64_t at = 0; at < chunk.size(); at += page) {
    while (stretches_[stretch].end <= at_ + at) ++stretch;
    // A page has the most important classification of its stretches.
    What what = stretches_[stretch].what;
    for (std::size_t more = stretch + 1; more < stretches_.size() && stretches_[more - 1].end < at_ + at + page; ++more)
      what = std::min(what, stretches_[more].what);
    const std::uint64_t length = std::min<std::uint64_t>(page, chunk.size() - at);
    const auto bytes = chunk.subspan(at, length);
    const auto next = chunk.subspan(std::min(chunk.size(), at + page),
                                    std::min(page, chunk.size() - std::min(chunk.size(), at + page)));
    if (keeps(bytes, next, at_ + at, what) || is_kept_code(at_ + at)) {
      if (to != at) {
        hand_on();
        from = at;
      }
      to = at + length;
    } else if (at + length == chunk.size() && length == page) {
      last_page_.assign(bytes.begin(), bytes.end());
    }
  }
  hand_on();
}

}  // namespace wheelcheck::elf
