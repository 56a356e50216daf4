// Builds the address space of a file from its PT_LOADs, in the order in which the loader maps them.
#include "elf/image.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "llvm/BinaryFormat/ELF.h"

namespace wheelcheck::elf {
namespace {

constexpr std::uint64_t most_joined_bytes = std::uint64_t{64} << 20;

struct Piece {
  std::uint64_t end = 0, offset = 0;
  bool zero = false, writable = false;
};
using Pieces = std::map<std::uint64_t, Piece>;  // by first address, disjoint

// Cuts [begin, end) out of what is there and puts the new piece in its place.
void map_over(Pieces& pieces, std::uint64_t begin, const Piece& piece) {
  const std::uint64_t end = piece.end;
  if (begin >= end) return;
  auto at = pieces.lower_bound(begin);
  if (at != pieces.begin()) {
    const auto before = std::prev(at);
    if (before->second.end > begin) {
      const Piece old = before->second;
      before->second.end = begin;
      if (old.end > end) pieces[end] = {old.end, old.offset + (end - before->first), old.zero, old.writable};
    }
  }
  at = pieces.lower_bound(begin);
  while (at != pieces.end() && at->first < end) {
    const std::uint64_t first = at->first;
    const Piece old = at->second;
    at = pieces.erase(at);
    if (old.end > end) pieces[end] = {old.end, old.offset + (end - first), old.zero, old.writable};
  }
  pieces[begin] = piece;
}

constexpr std::uint64_t page_down(std::uint64_t value) { return value & ~(page_size - 1); }
constexpr std::uint64_t page_up(std::uint64_t value) {  // stays at the last page rather than wrapping
  return value > ~(page_size - 1) ? ~(page_size - 1) : page_down(value + page_size - 1);
}

void map_segment(Pieces& pieces, const Segment& segment, std::uint64_t file_size) {
  std::uint64_t data_end = 0, memory_end = 0, last = 0;
  if (__builtin_add_overflow(segment.address, segment.file_size, &data_end) ||
      __builtin_add_overflow(segment.address, segment.memory_size, &memory_end) ||
      __builtin_add_overflow(segment.offset, segment.file_size, &last))
    return;
  // Where offset and address differ modulo the page the loader refuses; other tools read such a file as it is meant.
  const bool congruent = (segment.address - segment.offset) % page_size == 0;
  const std::uint64_t begin = congruent ? page_down(segment.address) : segment.address;
  const std::uint64_t offset = congruent ? page_down(segment.offset) : segment.offset;
  std::uint64_t end = congruent ? page_up(data_end) : data_end;
  if (offset >= file_size || segment.file_size == 0) end = begin;
  end = begin + std::min(end - begin, file_size - std::min(offset, file_size));  // a cut file
  const bool writable = (segment.flags & llvm::ELF::PF_W) != 0;
  map_over(pieces, begin, {.end = end, .offset = offset, .zero = false, .writable = writable});
  if (memory_end > data_end)
    map_over(pieces, data_end, {.end = page_up(memory_end), .offset = 0, .zero = true, .writable = writable});
}

}  // namespace

Image::Image(const File& file, std::span<const Segment> segments) : file_(file) {
  Pieces pieces;
  for (const Segment& segment : segments)
    if (segment.type == llvm::ELF::PT_LOAD) map_segment(pieces, segment, file.size());
  for (const auto& [begin, piece] : pieces) {
    Extent* const last = extents_.empty() ? nullptr : &extents_.back();
    const bool adjoins = last != nullptr && last->end == begin && last->zero == piece.zero;
    if (adjoins && (piece.zero || last->offset + (begin - last->begin) == piece.offset))
      last->end = piece.end;
    else
      extents_.push_back({begin, piece.end, piece.offset, piece.zero});
    if (!piece.writable) continue;
    if (!writable_.empty() && writable_.back().end == begin)
      writable_.back().end = piece.end;
    else
      writable_.push_back({begin, piece.end});
  }
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

std::span<const std::byte> Image::from(std::uint64_t address, std::uint64_t most) const {
  const auto range = place(address);
  if (!range) return {};
  return file_.bytes(range->begin, std::min(range->end - range->begin, most));
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

std::uint64_t Image::room_to_write(std::uint64_t address) const {
  const auto next = std::ranges::upper_bound(writable_, address, {}, &Range::begin);
  if (next == writable_.begin()) return 0;
  const Range& range = *std::prev(next);
  return address < range.end ? range.end - address : 0;
}

std::uint64_t Image::room(std::uint64_t address) const {
  const Extent* extent = find(address);
  if (extent == nullptr) return 0;
  const Extent* const end = extents_.data() + extents_.size();
  std::uint64_t last = extent->end;
  while (++extent != end && extent->begin == last) last = extent->end;
  return last - address;
}

std::optional<std::span<const std::byte>> Image::bytes(std::uint64_t address, std::uint64_t size) const {
  const Extent* const extent = find(address);
  if (extent == nullptr || extent->zero) return std::nullopt;
  if (size <= extent->end - address) return file_.bytes(extent->offset + (address - extent->begin), size);
  return join(extent, address, size);
}

std::optional<std::span<const std::byte>> Image::join(const Extent* first, std::uint64_t address,
                                                      std::uint64_t size) const {
  if (size > most_joined_bytes - joined_bytes_ || room(address) < size) return std::nullopt;
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

}  // namespace wheelcheck::elf
