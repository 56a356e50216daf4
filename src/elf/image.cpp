// Builds the address space of a file from its PT_LOAD segments, in the order in which the loader maps them.

#include "elf/image.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>

#include "elf/page_filter.h"
#include "llvm/BinaryFormat/ELF.h"

namespace wheelcheck::elf {

namespace {

constexpr std::uint64_t max_joined_bytes = std::uint64_t{64} << 20;

struct Access {
  bool writable = false, executable = false;
};
struct Piece {
  std::uint64_t end = 0, offset = 0;
  bool zero = false;
  Access access;
};
using Pieces = std::map<std::uint64_t, Piece>;  // by first address, disjoint

// Removes [begin, end) from the mapped pieces.
void unmap(Pieces& pieces, std::uint64_t begin, std::uint64_t end) {
  if (begin >= end) return;
  auto at = pieces.lower_bound(begin);
  if (at != pieces.begin()) {
    const auto before = std::prev(at);
    if (before->second.end > begin) {
      const Piece old = before->second;
      before->second.end = begin;
      if (old.end > end) pieces[end] = {old.end, old.offset + (end - before->first), old.zero, old.access};
    }
  }
  at = pieces.lower_bound(begin);
  while (at != pieces.end() && at->first < end) {
    const std::uint64_t first = at->first;
    const Piece old = at->second;
    at = pieces.erase(at);
    if (old.end > end) pieces[end] = {old.end, old.offset + (end - first), old.zero, old.access};
  }
}

void map_over(Pieces& pieces, std::uint64_t begin, const Piece& piece) {
  if (begin >= piece.end) return;
  unmap(pieces, begin, piece.end);
  pieces[begin] = piece;
}

constexpr std::uint64_t page_down(std::uint64_t value) { return value & ~(page_size - 1); }
// Rounds up, but stays at the last page instead of wrapping.
constexpr std::uint64_t page_up(std::uint64_t value) {
  return value > ~(page_size - 1) ? ~(page_size - 1) : page_down(value + page_size - 1);
}

// Models mmap of a file: the rest of the last page of the file is zero, and pages after it are not accessible (SIGBUS).
void map_file(Pieces& pieces, std::uint64_t begin, std::uint64_t end, std::uint64_t offset, std::uint64_t file_size,
              Access access) {
  unmap(pieces, begin, end);
  if (offset >= file_size) return;
  const std::uint64_t data_end = begin + std::min(end - begin, file_size - offset);
  map_over(pieces, begin, {.end = data_end, .offset = offset, .zero = false, .access = access});
  map_over(pieces, data_end, {.end = std::min(end, page_up(data_end)), .offset = 0, .zero = true, .access = access});
}

// glibc's struct loadcmd (elf/dl-load.h), as _dl_map_object_from_fd fills it.
struct LoadCommand {
  std::uint64_t map_start = 0, map_end = 0, data_end = 0, alloc_end = 0, map_offset = 0;
  Access access;
};

std::vector<LoadCommand> load_commands(std::span<const Segment> segments) {
  std::vector<LoadCommand> commands;
  for (const Segment& segment : segments) {
    if (segment.type != llvm::ELF::PT_LOAD) continue;
    std::uint64_t data_end = 0, memory_end = 0, last = 0;
    if (__builtin_add_overflow(segment.address, segment.file_size, &data_end) ||
        __builtin_add_overflow(segment.address, segment.memory_size, &memory_end) ||
        __builtin_add_overflow(segment.offset, segment.file_size, &last))
      continue;
    // The loader rejects a file whose offset and address are not congruent modulo the page size. Other tools read it by
    // its exact addresses.
    const bool congruent = (segment.address - segment.offset) % page_size == 0;
    commands.push_back({.map_start = congruent ? page_down(segment.address) : segment.address,
                        .map_end = congruent ? page_up(data_end) : data_end,
                        .data_end = data_end,
                        .alloc_end = memory_end,
                        .map_offset = congruent ? page_down(segment.offset) : segment.offset,
                        .access = {.writable = (segment.flags & llvm::ELF::PF_W) != 0,
                                   .executable = (segment.flags & llvm::ELF::PF_X) != 0}});
  }
  return commands;
}

// The end of the zeros. The loader clears up to the end of the page, or up to the end of memory if that is earlier; the
// kernel provides whole pages.
std::uint64_t zero_end(const LoadCommand& command) {
  const std::uint64_t page = page_up(command.data_end);
  return command.alloc_end < page ? command.alloc_end : page_up(command.alloc_end);
}

// glibc reserves the memory of a shared object by mapping its first segment up to the end of the last one, and then
// removes the access to the gap between them (elf/dl-map-segments.h, _dl_map_segments).
void reserve(Pieces& pieces, std::span<const LoadCommand> commands, std::uint64_t file_size) {
  const LoadCommand &first = commands.front(), &last = commands.back();
  bool holes = false;
  for (std::size_t i = 1; i < commands.size(); ++i) holes = holes || commands[i - 1].map_end != commands[i].map_start;
  if (last.alloc_end < first.map_start || last.map_start < first.map_end) return;  // rejected, or nothing remains
  map_file(pieces, first.map_start, std::max(first.map_end, page_up(last.alloc_end)), first.map_offset, file_size,
           first.access);
  if (holes) unmap(pieces, first.map_end, last.map_start);
}

// PT_GNU_RELRO leaves whole pages that may only be read (glibc elf/dl-reloc.c, _dl_protect_relro). The loader writes to
// them before, so that they stay writable here.
void protect(Pieces& pieces, Image::Range relro) {
  auto at = pieces.upper_bound(relro.begin);
  if (at != pieces.begin()) --at;
  std::vector<std::pair<std::uint64_t, Piece>> changed;
  for (; at != pieces.end() && at->first < relro.end; ++at) {
    const std::uint64_t begin = std::max(at->first, relro.begin), end = std::min(at->second.end, relro.end);
    if (begin >= end || !at->second.access.executable) continue;
    Piece piece = at->second;
    piece.end = end;
    piece.offset += begin - at->first;
    piece.access.executable = false;
    changed.emplace_back(begin, piece);
  }
  for (const auto& [begin, piece] : changed) map_over(pieces, begin, piece);
}

}  // namespace

Image::Range Image::relro_of(std::span<const Segment> segments) {
  const auto last = std::ranges::find_if(segments.rbegin(), segments.rend(), [](const Segment& segment) {
    return segment.type == llvm::ELF::PT_GNU_RELRO;
  });
  if (last == segments.rend() || last->memory_size == 0) return {};
  return {page_down(last->address), page_down(last->address + last->memory_size)};
}

Image::Image(const File& file, std::span<const Segment> segments, bool shared_object, unsigned bits)
    : file_(file), bits_(bits) {
  Pieces pieces;
  const std::vector<LoadCommand> commands = load_commands(segments);
  if (shared_object && !commands.empty()) reserve(pieces, commands, file.size());
  for (const LoadCommand& command : commands) {
    // A whole page is mapped, even for a p_filesz of 0 in the middle of it.
    map_file(pieces, command.map_start, command.map_end, command.map_offset, file.size(), command.access);
    if (command.alloc_end > command.data_end)
      map_over(pieces, command.data_end,
               {.end = zero_end(command), .offset = 0, .zero = true, .access = command.access});
  }
  if (shared_object) protect(pieces, relro_of(segments));
  for (const auto& [begin, piece] : pieces) {
    Extent* const last = extents_.empty() ? nullptr : &extents_.back();
    const bool adjoins = last != nullptr && last->end == begin && last->zero == piece.zero;
    if (adjoins && (piece.zero || last->offset + (begin - last->begin) == piece.offset))
      last->end = piece.end;
    else
      extents_.push_back({begin, piece.end, piece.end, piece.offset, piece.zero});
    if (piece.access.writable) append(writable_, {begin, piece.end});
    if (piece.access.executable) append(executable_, {begin, piece.end});
  }
  for (std::size_t i = extents_.size(); i-- > 0;) {
    const bool goes_on = i + 1 < extents_.size() && extents_[i].end == extents_[i + 1].begin;
    extents_[i].run_end = goes_on ? extents_[i + 1].run_end : extents_[i].end;
  }
}

void Image::append(std::vector<Range>& ranges, Range range) {
  if (!ranges.empty() && ranges.back().end == range.begin)
    ranges.back().end = range.end;
  else
    ranges.push_back(range);
}

std::uint64_t Image::room_in(std::span<const Range> ranges, std::uint64_t address) {
  const auto next = std::ranges::upper_bound(ranges, address, {}, &Range::begin);
  if (next == ranges.begin()) return 0;
  const Range& range = *std::prev(next);
  return address < range.end ? range.end - address : 0;
}

const Image::Extent* Image::find(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(extents_, address, {}, &Extent::begin);
  if (next == extents_.begin()) return nullptr;
  const Extent& extent = *std::prev(next);
  return address < extent.end ? &extent : nullptr;
}

std::optional<FileRange> Image::place(std::uint64_t address) const {
  const Extent* const extent = find(address);
  if (extent == nullptr || extent->zero) return std::nullopt;
  const std::uint64_t begin = extent->offset + (address - extent->begin);
  return FileRange{begin, begin + (extent->end - address)};
}

std::span<const std::byte> Image::from(std::uint64_t address, std::uint64_t max) const {
  const auto range = place(address);
  if (!range) return {};
  return file_.bytes(range->begin, std::min(range->end - range->begin, max));
}

bool Image::walk(std::uint64_t address, std::uint64_t size, std::uint64_t record,
                 const std::function<void(std::span<const std::byte>)>& visit) const {
  const auto range = place(address);
  if (range && size <= range->end - range->begin) {
    file_.walk({range->begin, range->begin + size}, record, visit);
    return true;
  }
  const auto joined = bytes(address, size);
  if (joined) visit(*joined);
  return joined.has_value();
}

void Image::done(std::uint64_t address, std::uint64_t size) const {
  if (const auto range = place(address))
    file_.done({range->begin, range->begin + std::min(size, range->end - range->begin)});
}

std::uint64_t Image::available(std::uint64_t address) const {
  const Extent* const extent = find(address);
  return extent == nullptr ? 0 : extent->run_end - address;
}

std::optional<std::span<const std::byte>> Image::bytes(std::uint64_t address, std::uint64_t size) const {
  const Extent* const extent = find(address);
  if (extent == nullptr) return std::nullopt;
  static constexpr std::array<std::byte, 64> zeros{};  // size of a record
  if (extent->zero && size <= std::min<std::uint64_t>(zeros.size(), extent->end - address))
    return std::span(zeros).first(size);
  if (!extent->zero && size <= extent->end - address)
    return file_.bytes(extent->offset + (address - extent->begin), size);
  return join(extent, address, size);
}

std::optional<std::span<const std::byte>> Image::join(const Extent* first, std::uint64_t address,
                                                      std::uint64_t size) const {
  if (size > max_joined_bytes - joined_bytes_ || available(address) < size) return std::nullopt;
  std::vector<std::byte> whole(size);
  std::uint64_t done = 0;
  for (const Extent* extent = first; done < size; ++extent) {
    const std::uint64_t at = address + done, part = std::min(size - done, extent->end - at);
    if (!extent->zero)
      std::memcpy(whole.data() + done, file_.bytes(extent->offset + (at - extent->begin), part).data(), part);
    done += part;
  }
  joined_bytes_ += size;
  return joined_.emplace_back(std::move(whole));
}

namespace {

constexpr std::uint64_t window = std::uint64_t{1} << 20;  // bytes that are fetched at once for a search

}  // namespace

void File::walk(FileRange table, std::uint64_t record,
                const std::function<void(std::span<const std::byte>)>& visit) const {
  const std::uint64_t piece = pages_ == nullptr ? table.end - table.begin : window / record * record;
  for (std::uint64_t at = table.begin; at < table.end;) {
    const std::uint64_t end = at + std::min(piece, table.end - at);
    visit(bytes(at, end - at));
    done({at, end});
    at = end;
  }
}

const CodeScan* File::code_scan() const { return page_filter_ == nullptr ? nullptr : page_filter_->code_scan(); }

void File::search(FileRange range, std::uint64_t margin, Search what,
                  const std::function<std::uint64_t(FileRange part)>& visit) const {
  if (range.begin >= range.end) return;
  if (pages_ == nullptr) return static_cast<void>(visit(range));
  const auto around = [&](FileRange part) {
    return FileRange{std::max(range.begin, part.begin - std::min(margin, part.begin)),
                     std::min(range.end, part.end + margin)};
  };
  const auto holds_nothing = [&](std::uint64_t at) {
    return what == Search::Marks && !pages_->has(at) && page_filter_->looked(at);
  };
  for (std::uint64_t at = range.begin; at < range.end;) {
    const std::uint64_t same = pages_->same_until(at, range.end);
    if (holds_nothing(at)) {
      at = page_filter_->same_until(at, same);
      continue;
    }
    const bool there = pages_->has(at);
    const FileRange part{at, there ? same : std::min(at + window, page_filter_->same_until(at, same))},
        near = around(part);
    // The mark can only be in this page. Pages next to it that the filter dropped contain no part of it.
    if (near.begin < part.begin && !holds_nothing(near.begin)) pages_->need(near.begin, part.begin);
    if (near.end > part.end && !holds_nothing(near.end - 1)) pages_->need(part.end, near.end);
    pages_->need(part.begin, part.end);
    at = std::max(part.end, visit(part));
    if (!there) pages_->drop(part.begin, part.end);
  }
}

}  // namespace wheelcheck::elf
